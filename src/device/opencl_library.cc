#include "device/opencl_library.h"

#include <dlfcn.h>

#include <unistd.h>

#include <charconv>
#include <cstdlib>

#include "base/error.h"
#include "base/files.h"
#include "base/hash.h"

namespace hone::device {
namespace {

// PoCL shows no device where it cannot make its cache, which by itself would be in $HOME. In a
// worker the variable is set; here the library only says which devices there are.
void give_pocl_a_cache() {
  if (std::getenv("POCL_CACHE_DIR") != nullptr) return;
  std::string folder;
  try {
    folder = base::home_folder() / "cache" / "pocl";
    base::make_folder(folder);
    if (::access(folder.c_str(), W_OK | X_OK) != 0) folder.clear();
  } catch (const base::Error&) {
    folder.clear();
  }
  if (folder.empty()) {
    static const base::TemporaryFolder temporary("hone-pocl");
    folder = temporary.path();
  }
  ::setenv("POCL_CACHE_DIR", folder.c_str(), 1);
}

OpenClLibrary open_library() {
  OpenClLibrary library;
  give_pocl_a_cache();
  void* handle = ::dlopen("libOpenCL.so.1",
                          RTLD_NOW | RTLD_LOCAL);  // never closed: drivers leave threads behind
  if (!handle) {
    library.why = "the OpenCL loader libOpenCL.so.1 is not installed";
    return library;
  }
#define HONE_OPENCL_LOOK_UP(name)                                                       \
  library.name = reinterpret_cast<decltype(library.name)>(::dlsym(handle, "cl" #name)); \
  if (!library.name) library.why = "libOpenCL.so.1 is too old: it has no function cl" #name;
  HONE_OPENCL_FUNCTIONS(HONE_OPENCL_LOOK_UP)
#undef HONE_OPENCL_LOOK_UP
  return library;
}

constexpr std::string_view identity_prefix = "opencl-";

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\0' || text.back() == ' ')) text.pop_back();
  text.erase(0, text.find_first_not_of(' '));
  return text;
}

struct ErrorRow {
  cl_int code;
  const char* name;
  const char* cause;
};
constexpr ErrorRow error_rows[] = {
    {CL_MEM_OBJECT_ALLOCATION_FAILURE, "CL_MEM_OBJECT_ALLOCATION_FAILURE",
     "the device has too little memory for the buffers"},
    {CL_OUT_OF_RESOURCES, "CL_OUT_OF_RESOURCES",
     "the kernel needs more registers or local memory than the device has, or reached outside its "
     "buffers"},
    {CL_OUT_OF_HOST_MEMORY, "CL_OUT_OF_HOST_MEMORY", "the process reached its memory limit"},
    {CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST",
     "an earlier launch failed"},
    {CL_BUILD_PROGRAM_FAILURE, "CL_BUILD_PROGRAM_FAILURE",
     "the compiler refused the source; its log says why"},
    {CL_INVALID_VALUE, "CL_INVALID_VALUE", "a size is zero or beyond what the device allows"},
    {CL_INVALID_BINARY, "CL_INVALID_BINARY", "the image was built for another device or driver"},
    {CL_INVALID_BUFFER_SIZE, "CL_INVALID_BUFFER_SIZE",
     "a buffer is empty, or larger than the device allows for one"},
    {CL_INVALID_KERNEL_NAME, "CL_INVALID_KERNEL_NAME",
     "the source has no __kernel function of that name"},
    {CL_INVALID_KERNEL_ARGS, "CL_INVALID_KERNEL_ARGS", "an argument was not given"},
    {CL_INVALID_ARG_INDEX, "CL_INVALID_ARG_INDEX",
     "the plan gives more arguments than the kernel has"},
    {CL_INVALID_ARG_VALUE, "CL_INVALID_ARG_VALUE",
     "a buffer was given for a local pointer, or the other way round"},
    {CL_INVALID_ARG_SIZE, "CL_INVALID_ARG_SIZE",
     "the argument is wider or narrower than the kernel's parameter, or a local buffer is of 0 "
     "bytes"},
    {CL_INVALID_MEM_OBJECT, "CL_INVALID_MEM_OBJECT",
     "something else was given where the kernel takes a buffer"},
    {CL_INVALID_SAMPLER, "CL_INVALID_SAMPLER",
     "the kernel takes a sampler, which plans do not offer"},
    {CL_INVALID_WORK_DIMENSION, "CL_INVALID_WORK_DIMENSION",
     "the grid has more dimensions than the device"},
    {CL_INVALID_WORK_GROUP_SIZE, "CL_INVALID_WORK_GROUP_SIZE",
     "the block has more work-items than the device allows for this kernel, or not the number its "
     "attribute requires"},
    {CL_INVALID_WORK_ITEM_SIZE, "CL_INVALID_WORK_ITEM_SIZE",
     "the block is larger in one dimension than the device allows"},
    {CL_INVALID_GLOBAL_WORK_SIZE, "CL_INVALID_GLOBAL_WORK_SIZE", "the grid is empty or too large"},
};

}  // namespace

const OpenClLibrary& opencl() {
  static const OpenClLibrary library = open_library();
  return library;
}

std::string platform_text(cl_platform_id platform, cl_platform_info what) {
  std::size_t size = 0;
  if (opencl().GetPlatformInfo(platform, what, 0, nullptr, &size) != CL_SUCCESS) return "";
  std::string text(size, '\0');
  return opencl().GetPlatformInfo(platform, what, size, text.data(), nullptr) == CL_SUCCESS
             ? trimmed(std::move(text))
             : "";
}

std::string device_text(cl_device_id device, cl_device_info what) {
  std::size_t size = 0;
  if (opencl().GetDeviceInfo(device, what, 0, nullptr, &size) != CL_SUCCESS) return "";
  std::string text(size, '\0');
  return opencl().GetDeviceInfo(device, what, size, text.data(), nullptr) == CL_SUCCESS
             ? trimmed(std::move(text))
             : "";
}

std::vector<OpenClPlace> opencl_devices() {
  std::vector<OpenClPlace> found;
  if (!opencl().why.empty()) return found;
  cl_uint count = 0;
  if (opencl().GetPlatformIDs(0, nullptr, &count) != CL_SUCCESS) return found;
  std::vector<cl_platform_id> platforms(count);
  if (count > 0) opencl().GetPlatformIDs(count, platforms.data(), nullptr);
  for (cl_platform_id platform : platforms) {
    cl_uint here = 0;
    if (opencl().GetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &here) != CL_SUCCESS ||
        here == 0)
      continue;
    std::vector<cl_device_id> devices(here);
    opencl().GetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, here, devices.data(), nullptr);
    for (cl_device_id device : devices) found.push_back({platform, device});
  }
  return found;
}

std::string opencl_identity(const std::vector<OpenClPlace>& places, std::size_t index) {
  // OpenCL 1.2 has no UUIDs: what it does tell, and a number where several devices tell the same.
  const OpenClPlace& place = places[index];
  const std::string name = device_text(place.device, CL_DEVICE_NAME);
  std::size_t twins = 0;
  for (std::size_t before = 0; before < index; ++before)
    twins += device_text(places[before].device, CL_DEVICE_NAME) == name ? 1 : 0;
  base::Hasher hasher;
  for (const auto what : {CL_PLATFORM_NAME, CL_PLATFORM_VENDOR, CL_PLATFORM_VERSION})
    hasher.add(platform_text(place.platform, what));
  for (const auto what : {CL_DEVICE_NAME, CL_DEVICE_VENDOR, CL_DEVICE_VERSION, CL_DRIVER_VERSION})
    hasher.add(device_text(place.device, what));
  hasher.add(std::to_string(twins));
  return std::string(identity_prefix) + hasher.hex().substr(0, 32);
}

OpenClPlace opencl_device(const std::string& id) {
  const auto devices = opencl_devices();
  if (id.starts_with(identity_prefix)) {
    std::string names;
    for (std::size_t index = 0; index < devices.size(); ++index) {
      if (opencl_identity(devices, index) == id) return devices[index];
      names += (names.empty() ? "" : ", ") + device_text(devices[index].device, CL_DEVICE_NAME);
    }
    base::fail(base::ExitCode::environment,
               "this device cannot be used inside the sandbox: its driver does not find it there. "
               "What is found: {}",
               names.empty() ? "nothing" : names);
  }
  const std::string number = id.substr(std::min(id.size(), id.find(':') + 1));
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), index);
  if (error != std::errc{} || end != number.data() + number.size() || index >= devices.size())
    base::fail(base::ExitCode::environment,
               "there is no OpenCL device {}: hone doctor lists the {} that are here", id,
               devices.size());
  return devices[index];
}

std::string opencl_error(cl_int code) {
  for (const ErrorRow& row : error_rows)
    if (row.code == code) return fmt::format("{} ({}): {}", row.name, code, row.cause);
  return fmt::format("OpenCL error {}", code);
}

ClContext make_context(cl_device_id device) {
  cl_int code = CL_SUCCESS;
  ClContext context(opencl().CreateContext(nullptr, 1, &device, nullptr, nullptr, &code));
  if (!context)
    base::fail(base::ExitCode::environment, "cannot open the OpenCL device: {}",
               opencl_error(code));
  return context;
}

}  // namespace hone::device
