// Calls @function@ once, on made-up values, and prints the beginning of what comes back. Build it with: make
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "@function@.h"

static void must(cl_int error, const char* what) {
  if (error == CL_SUCCESS) return;
  std::fprintf(stderr, "%s: OpenCL error %d\n", what, error);
  std::exit(1);
}

template <typename T>
static cl_mem device_tensor(cl_context context, int64_t elements) {
  std::vector<T> host(static_cast<size_t>(elements));
  for (size_t i = 0; i < host.size(); ++i) host[i] = T(i % 4);
  cl_int error = CL_SUCCESS;
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, host.size() * sizeof(T), host.data(), &error);
  must(error, "clCreateBuffer");
  return buffer;
}

int main() {
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  must(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
  must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
  cl_int error = CL_SUCCESS;
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  must(error, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  must(error, "clCreateCommandQueue");
@example_sizes@@example_tensors@  cl_mem workspace = nullptr;
  const size_t bytes = @function@_workspace_bytes(queue@comma_size_names@);
  if (bytes > 0) workspace = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, &error);
  must(error, "clCreateBuffer");
  error = @function@(queue, @argument_names@, workspace);
  if (error != CL_SUCCESS) std::fprintf(stderr, "%s\n", @function@_build_log());
  must(error, "@function@");
  must(clFinish(queue), "the kernels");
@example_print@  @function@_release();
  return 0;
}
