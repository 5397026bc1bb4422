#pragma once
// What the checks of exports need of a device, in the same words for CUDA and OpenCL. A launcher is
// called as
//     must(softmax(BEFORE x.on_device(), y.on_device(), rows, cols,
//                  workspace(softmax_workspace_bytes(BEFORE rows, cols)) AFTER));
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#ifdef __CUDACC__
#include <cuda_runtime.h>
#define BEFORE
#define AFTER , nullptr
inline void must(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
  std::exit(1);
}
using Memory = float*;
inline Memory allocate(size_t bytes) {
  void* memory = nullptr;
  must(cudaMalloc(&memory, bytes));
  return static_cast<float*>(memory);
}
inline void upload(Memory to, const void* from, size_t bytes) {
  must(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
}
inline void download(void* to, Memory from, size_t bytes) {
  must(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost));
}
inline bool refuses_bad_sizes(cudaError_t error) { return error == cudaErrorInvalidValue; }
#else
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>
#define BEFORE queue(),
#define AFTER
inline void must(cl_int error) {
  if (error == CL_SUCCESS) return;
  std::fprintf(stderr, "OpenCL: error %d\n", error);
  std::exit(1);
}
inline cl_context& context() {
  static cl_context made = nullptr;
  return made;
}
inline cl_command_queue queue() {
  static cl_command_queue made = [] {
    cl_platform_id platform = nullptr;
    cl_device_id device = nullptr;
    cl_int error = CL_SUCCESS;
    must(clGetPlatformIDs(1, &platform, nullptr));
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr));
    context() = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
    must(error);
    // Out of order: the launcher itself has to keep the order of its launches.
    cl_command_queue found =
        clCreateCommandQueue(context(), device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &error);
    if (error != CL_SUCCESS) found = clCreateCommandQueue(context(), device, 0, &error);
    must(error);
    return found;
  }();
  return made;
}
using Memory = cl_mem;
inline Memory allocate(size_t bytes) {
  queue();
  cl_int error = CL_SUCCESS;
  const cl_mem memory = clCreateBuffer(context(), CL_MEM_READ_WRITE, bytes, nullptr, &error);
  must(error);
  return memory;
}
inline void upload(Memory to, const void* from, size_t bytes) {
  must(clEnqueueWriteBuffer(queue(), to, CL_TRUE, 0, bytes, from, 0, nullptr, nullptr));
}
inline void download(void* to, Memory from, size_t bytes) {
  must(clFinish(queue()));
  must(clEnqueueReadBuffer(queue(), from, CL_TRUE, 0, bytes, to, 0, nullptr, nullptr));
}
inline bool refuses_bad_sizes(cl_int error) { return error == CL_INVALID_VALUE; }
#endif

inline Memory workspace(size_t bytes) { return bytes == 0 ? nullptr : allocate(bytes); }

// A tensor on both sides, with values that differ from element to element.
struct Tensor {
  std::vector<float> host;
  Memory memory;
  explicit Tensor(int64_t elements)
      : host(static_cast<size_t>(elements)), memory(allocate(host.size() * sizeof(float))) {
    static uint32_t state = 1;
    for (float& value : host)
      value = static_cast<float>((state = state * 1664525u + 1013904223u) >> 8) / 8388608.0f - 1.0f;
    upload(memory, host.data(), host.size() * sizeof(float));
  }
  Memory on_device() const { return memory; }
  const std::vector<float>& back() {
    download(host.data(), memory, host.size() * sizeof(float));
    return host;
  }
};

// Whether the result is what was expected, relative to `scale`.
inline bool close(const char* what, const std::vector<float>& got,
                  const std::vector<double>& expected, double scale, double tolerance) {
  for (size_t i = 0; i < expected.size(); ++i) {
    const double error = (got[i] - expected[i]) / scale;
    if (error <= tolerance && error >= -tolerance) continue;
    std::fprintf(stderr, "%s: element %zu is %g, expected %g\n", what, i,
                 static_cast<double>(got[i]), expected[i]);
    return false;
  }
  return true;
}
