#pragma once
// libOpenCL, opened when first needed: Hone builds with the headers only and starts on machines
// that have no OpenCL. The table is filled once and only read afterwards.
#include <CL/cl.h>

#include <string>
#include <utility>
#include <vector>

namespace hone::device {

// Every function of the library that Hone calls.
#define HONE_OPENCL_FUNCTIONS(X)                                                             \
  X(GetPlatformIDs)                                                                          \
  X(GetPlatformInfo)                                                                         \
  X(GetDeviceIDs)                                                                            \
  X(GetDeviceInfo)                                                                           \
  X(CreateContext)                                                                           \
  X(ReleaseContext)                                                                          \
  X(CreateCommandQueue)                                                                      \
  X(ReleaseCommandQueue)                                                                     \
  X(CreateProgramWithSource)                                                                 \
  X(CreateProgramWithBinary)                                                                 \
  X(BuildProgram) X(GetProgramBuildInfo) X(GetProgramInfo) X(ReleaseProgram) X(CreateKernel) \
      X(CreateKernelsInProgram) X(ReleaseKernel) X(GetKernelInfo) X(GetKernelArgInfo)        \
          X(GetKernelWorkGroupInfo) X(SetKernelArg) X(CreateBuffer) X(ReleaseMemObject)      \
              X(EnqueueNDRangeKernel) X(EnqueueMapBuffer) X(EnqueueUnmapMemObject)           \
                  X(EnqueueMigrateMemObjects) X(GetEventProfilingInfo) X(GetEventInfo)       \
                      X(ReleaseEvent) X(Finish)

struct OpenClLibrary {
#define HONE_OPENCL_FIELD(name) decltype(&::cl##name) name = nullptr;
  HONE_OPENCL_FUNCTIONS(HONE_OPENCL_FIELD)
#undef HONE_OPENCL_FIELD
  std::string why;  // why it could not be opened; "" if it is there
};
const OpenClLibrary& opencl();

struct OpenClPlace {
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
};
std::vector<OpenClPlace> opencl_devices();  // in the order of their ids, opencl:0 first
// What identifies the device at this place of the list, on this machine and with this driver:
// "opencl-4fa0...". Unlike its number it is the same in a sandbox, where other devices may be out
// of sight.
std::string opencl_identity(const std::vector<OpenClPlace>& places, std::size_t index);
OpenClPlace opencl_device(
    const std::string& id);  // a number or an identity; throws Error if there is none

std::string platform_text(cl_platform_id platform, cl_platform_info what);
std::string device_text(cl_device_id device, cl_device_info what);
template <typename T>
T device_value(cl_device_id device, cl_device_info what) {
  T value{};
  opencl().GetDeviceInfo(device, what, sizeof value, &value, nullptr);
  return value;
}

// "CL_INVALID_WORK_GROUP_SIZE (-54): the block has more work-items than ..."
std::string opencl_error(cl_int code);

// An OpenCL object that is released when it goes.
template <typename T, cl_int (*release)(T)>
class OpenClHandle {
 public:
  OpenClHandle() = default;
  explicit OpenClHandle(T object) : object_(object) {}
  OpenClHandle(OpenClHandle&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  OpenClHandle& operator=(OpenClHandle&& other) noexcept {
    reset(std::exchange(other.object_, nullptr));
    return *this;
  }
  ~OpenClHandle() { reset(); }
  T get() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }
  void reset(T object = nullptr) {
    if (object_) release(object_);
    object_ = object;
  }

 private:
  T object_ = nullptr;
};
inline cl_int release_context(cl_context object) { return opencl().ReleaseContext(object); }
inline cl_int release_queue(cl_command_queue object) {
  return opencl().ReleaseCommandQueue(object);
}
inline cl_int release_program(cl_program object) { return opencl().ReleaseProgram(object); }
inline cl_int release_kernel(cl_kernel object) { return opencl().ReleaseKernel(object); }
inline cl_int release_buffer(cl_mem object) { return opencl().ReleaseMemObject(object); }
inline cl_int release_event(cl_event object) { return opencl().ReleaseEvent(object); }
using ClContext = OpenClHandle<cl_context, release_context>;
using ClQueue = OpenClHandle<cl_command_queue, release_queue>;
using ClProgram = OpenClHandle<cl_program, release_program>;
using ClKernel = OpenClHandle<cl_kernel, release_kernel>;
using ClBuffer = OpenClHandle<cl_mem, release_buffer>;
using ClEvent = OpenClHandle<cl_event, release_event>;

ClContext make_context(cl_device_id device);  // throws Error

}  // namespace hone::device
