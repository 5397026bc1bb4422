#include "device/opencl_build.h"

#include <fmt/format.h>

#include "device/opencl_image.h"
#include "device/opencl_library.h"
#include "device/opencl_source.h"

namespace hone::device {
namespace {

// CL1.2: program-scope variables are constants, there is no device-side queue and no generic
// address space.
std::string options_for(const BuildRequest& request) {
  std::string options = "-cl-std=CL1.2 -cl-kernel-arg-info";
  if (request.line_info)
    options +=
        " -g";  // for PoCL and others based on LLVM; a compiler that does not know it refuses
  for (const auto& [name, value] : request.defines) options += fmt::format(" -D{}={}", name, value);
  return options;
}

std::string build_log(cl_program program, cl_device_id device) {
  std::size_t size = 0;
  if (opencl().GetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size) !=
      CL_SUCCESS)
    return "";
  std::string log(size, '\0');
  opencl().GetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
  while (!log.empty() && (log.back() == '\0' || log.back() == '\n')) log.pop_back();
  return log;
}

// PoCL compiles a temporary copy and names that; a person knows the source by its own name.
std::string with_own_name(std::string log, const std::string& name) {
  constexpr std::string_view mark = "tempfile_", ending = ".cl";
  for (std::size_t at = log.find(mark); at != std::string::npos; at = log.find(mark, at)) {
    const std::size_t start = log.find_last_of(" \n\"'", at) + 1, end = log.find(ending, at);
    if (end == std::string::npos) break;
    log.replace(start, end + ending.size() - start, name);
    at = start + name.size();
  }
  return log;
}

KernelParameter parameter_of(cl_kernel kernel, cl_uint index,
                             const std::map<std::string, std::string>& typedefs) {
  KernelParameter parameter;
  const auto text = [&](cl_kernel_arg_info what) {
    std::size_t size = 0;
    if (opencl().GetKernelArgInfo(kernel, index, what, 0, nullptr, &size) != CL_SUCCESS ||
        size == 0)
      return std::string();
    std::string value(size, '\0');
    opencl().GetKernelArgInfo(kernel, index, what, size, value.data(), nullptr);
    value.resize(std::min(value.size(), value.find('\0')));
    return value;
  };
  cl_kernel_arg_address_qualifier space = 0;
  if (opencl().GetKernelArgInfo(kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space,
                                &space, nullptr) != CL_SUCCESS)
    return parameter;
  parameter.type = text(CL_KERNEL_ARG_TYPE_NAME);
  parameter.name = text(CL_KERNEL_ARG_NAME);
  using Kind = KernelParameter::Kind;
  const bool pointer = parameter.type.ends_with('*');
  if (space == CL_KERNEL_ARG_ADDRESS_PRIVATE) {
    parameter.kind = Kind::scalar;
    parameter.bytes = bytes_of_type(parameter.type, typedefs);
  } else if (space == CL_KERNEL_ARG_ADDRESS_LOCAL) {
    parameter.kind = Kind::local;
  } else if (pointer) {  // global or constant; what is no pointer is an image or a sampler, which
                         // plans cannot pass
    parameter.kind = Kind::buffer;
    parameter.bytes = sizeof(void*);
  }
  return parameter;
}

std::vector<KernelInfo> kernels_of(cl_program program,
                                   const std::map<std::string, std::string>& typedefs) {
  cl_uint count = 0;
  if (opencl().CreateKernelsInProgram(program, 0, nullptr, &count) != CL_SUCCESS || count == 0)
    return {};
  std::vector<cl_kernel> raw(count);
  if (opencl().CreateKernelsInProgram(program, count, raw.data(), nullptr) != CL_SUCCESS) return {};
  std::vector<KernelInfo> kernels;
  for (cl_kernel handle : raw) {
    const ClKernel kernel(handle);
    std::size_t size = 0;
    opencl().GetKernelInfo(handle, CL_KERNEL_FUNCTION_NAME, 0, nullptr, &size);
    std::string name(size, '\0');
    opencl().GetKernelInfo(handle, CL_KERNEL_FUNCTION_NAME, size, name.data(), nullptr);
    name.resize(std::min(name.size(), name.find('\0')));
    KernelInfo info{.name = name};
    cl_uint parameters = 0;
    opencl().GetKernelInfo(handle, CL_KERNEL_NUM_ARGS, sizeof parameters, &parameters, nullptr);
    for (cl_uint index = 0; index < parameters; ++index)
      info.parameters.push_back(parameter_of(handle, index, typedefs));
    kernels.push_back(std::move(info));
  }
  return kernels;
}

std::string binary_of(cl_program program) {
  std::size_t size = 0;
  if (opencl().GetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr) !=
      CL_SUCCESS)
    return "";
  std::string binary(size, '\0');
  char* place = binary.data();
  return opencl().GetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof place, &place, nullptr) ==
                 CL_SUCCESS
             ? binary
             : "";
}

}  // namespace

BuildResult build_opencl(const BuildRequest& request) {
  if (request.source.find_first_not_of(" \t\r\n") == std::string::npos)
    return {.log = request.name + ": the source is empty"};
  if (request.source.find('\0') != std::string::npos)
    return {.log = request.name + ": the source is not text (it has zero bytes)"};
  const OpenClPlace place = opencl_device(request.device_id);
  const ClContext context = make_context(place.device);
  const char* text = request.source.data();
  const std::size_t length = request.source.size();
  cl_int code = CL_SUCCESS;
  const ClProgram program(
      opencl().CreateProgramWithSource(context.get(), 1, &text, &length, &code));
  if (!program) return {.log = opencl_error(code)};

  const auto tokens = tokens_of(request.source);
  BuildResult result;
  code = opencl().BuildProgram(program.get(), 1, &place.device, options_for(request).c_str(),
                               nullptr, nullptr);
  result.log = with_own_name(build_log(program.get(), place.device), request.name);
  if (code != CL_SUCCESS) {
    if (result.log.empty()) result.log = opencl_error(code);
    result.forbidden = forbidden_in(request.source, tokens, result.log, "");
    return result;
  }
  OpenClImage image{.kernels = kernels_of(program.get(), typedefs_of(tokens)),
                    .binary = binary_of(program.get())};
  result.forbidden = forbidden_in(request.source, tokens, result.log, image.binary);
  if (image.kernels.empty() || image.binary.empty()) {
    result.log += (result.log.empty() ? "" : "\n") + request.name +
                  (image.kernels.empty() ? ": there is no __kernel function"
                                         : ": the driver gives no binary");
    return result;
  }
  result.image = write_image(image);
  result.ok = true;
  return result;
}

std::string opencl_compiler(const std::string& device_id) {
  if (opencl_devices().empty()) return "";
  const OpenClPlace place = opencl_device(device_id);
  return platform_text(place.platform, CL_PLATFORM_VERSION) + " / " +
         device_text(place.device, CL_DRIVER_VERSION);
}

}  // namespace hone::device
