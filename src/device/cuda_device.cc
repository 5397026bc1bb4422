#include "device/cuda_device.h"

#include "base/error.h"
#include "device/cuda_backend.h"
#include "device/cuda_image.h"

namespace hone::device::cuda {
namespace {

constexpr std::size_t most_parameters =
    4096;  // CUDA's own limit is far below; only a bound for the loop

LaunchLimits limits_of(const Session& session) {
  const auto ask = [&](DeviceAttribute which) { return std::int64_t{session.attribute(which)}; };
  return {
      .max_threads = ask(attribute_max_threads_per_block),
      .sm_count = ask(attribute_sm_count),
      .shared_per_block = ask(attribute_shared_per_block_optin),
      .grid = {ask(attribute_max_grid_x), ask(attribute_max_grid_y), ask(attribute_max_grid_z)},
      .block = {ask(attribute_max_block_x), ask(attribute_max_block_y), ask(attribute_max_block_z)},
      .clusters = ask(attribute_cluster_launch) != 0 && session.api().launch_ex != nullptr,
      .cooperative = ask(attribute_cooperative_launch) != 0 && session.api().launch_ex != nullptr};
}

}  // namespace

CudaDevice::CudaDevice(const core::DeviceInfo& info)
    : info_(info),
      session_(info),
      api_(session_.api()),
      limits_(limits_of(session_)),
      blocks_(session_),
      before_launches_(session_, info.l2_bytes) {
  span(0);
}

CudaDevice::~CudaDevice() {
  if (!session_.try_make_current()) return;  // the context went with its device, and all it held
  drop_private();
  unload_module();
  for (const Span& one : spans_)
    for (const Event event : {one.start, one.stop})
      if (event != nullptr) (void)api_.event_destroy(event);
}

// Events are made once and used again.
CudaDevice::Span& CudaDevice::span(std::size_t index) {
  while (spans_.size() <= index) {
    Span& made = spans_.emplace_back();
    check(api_.event_create(&made.start, 0), "creating an event");
    check(api_.event_create(&made.stop, 0), "creating an event");
  }
  return spans_[index];
}

// ---- code

base::Result<std::vector<KernelInfo>> CudaDevice::load(const std::string& image,
                                                       const std::vector<std::string>& kernels) {
  session_.make_current();
  if (!lost_.empty()) return base::Failure{lost_};
  ready_ = false;
  image_ = image;
  image_has_data_ = has_module_data(image);
  kernel_names_ = kernels;
  if (const auto error = load_module(); !error.empty()) return base::Failure{error};
  std::vector<KernelInfo> infos;
  for (const auto& name : kernels) infos.push_back(kernels_.at(name).info);
  return infos;
}

// Also called before every call of an image with data of its own, so that nothing in it outlives a
// call.
std::string CudaDevice::load_module() {
  unload_module();
  char log[4096] = {};
  int options[] = {jit_error_log_buffer, jit_error_log_bytes};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  Steps step;
  if (!step("loading the image", api_.module_load(&module_, image_.data(), 2, options, values)))
    return log[0] == '\0' ? step.error() : step.error() + "\n" + log;
  for (const auto& name : kernel_names_) {
    if (kernels_.contains(name)) continue;
    Kernel kernel;
    const Result result = api_.module_function(&kernel.function, module_, name.c_str());
    if (result == error_not_found)
      return "there is no kernel '" + name + "' in the source: it must be extern \"C\" __global__" +
             kernels_in_module();
    if (!step("looking up kernel '" + name + "'", result)) return step.error();
    // Now rather than inside the first launch: the driver loads code late.
    if (api_.function_load != nullptr &&
        !step("loading kernel '" + name + "'", api_.function_load(kernel.function)))
      return step.error();
    if (const auto error = describe(name, kernel); !error.empty()) return error;
    kernels_[name] = kernel;
    // Recursion and indirect calls use memory that no figure of the kernel's holds, up to the limit
    // of the stack.
    constexpr std::int64_t usual_stack = 1024;
    most_local_ = std::max({most_local_, kernel.info.local_bytes, usual_stack});
  }
  return {};
}

void CudaDevice::unload_module() {
  if (module_ != nullptr) (void)api_.module_unload(module_);
  module_ = nullptr;
  kernels_.clear();
  most_shared_.clear();
  most_local_ = 0;
  prepared_.clear();
}

std::string CudaDevice::describe(const std::string& name, Kernel& kernel) {
  Steps step;
  const auto ask = [&](FunctionAttribute which) {
    int value = -1;
    step("asking about kernel '" + name + "'",
         api_.function_attribute(&value, which, kernel.function));
    return std::int64_t{value};
  };
  kernel.info.name = name;
  kernel.info.registers = ask(function_registers);
  kernel.info.local_bytes = ask(function_local_bytes);
  kernel.info.shared_bytes = ask(function_shared_bytes);
  kernel.info.constant_bytes = ask(function_constant_bytes);
  kernel.info.max_threads = ask(function_max_threads);
  if (limits_.clusters)
    kernel.more.compiled_cluster = {ask(function_required_cluster_x),
                                    ask(function_required_cluster_y),
                                    ask(function_required_cluster_z)};
  for (std::size_t i = 0; api_.function_parameter != nullptr && i < most_parameters; ++i) {
    std::size_t offset = 0, bytes = 0;
    if (api_.function_parameter(kernel.function, i, &offset, &bytes) != success)
      break;  // past the last
    kernel.info.parameters.push_back({.bytes = bytes});
  }
  return step.error();
}

// For a message: what a plan may have meant.
std::string CudaDevice::kernels_in_module() {
  unsigned count = 0;
  if (api_.module_function_count == nullptr || api_.module_functions == nullptr ||
      api_.function_name == nullptr || api_.module_function_count(&count, module_) != success)
    return {};
  std::vector<Function> functions(count);
  if (count == 0 || api_.module_functions(functions.data(), count, module_) != success)
    return " (the image holds no kernels)";
  std::string names;
  for (const Function function : functions) {
    const char* name = nullptr;
    if (api_.function_name(&name, function) == success && name != nullptr)
      names += (names.empty() ? "" : ", ") + std::string(name);
  }
  return " (the image holds " + names + ")";
}

// ---- memory

int CudaDevice::import_block(base::Fd fd, std::uint64_t bytes) {
  session_.make_current();
  return blocks_.import(std::move(fd), bytes);
}

void CudaDevice::drop_blocks() {
  session_.make_current();
  ready_ = false;
  drop_private();
  prepared_.clear();
  blocks_.drop();
}

void CudaDevice::drop_private() {
  for (const auto& copy : private_) (void)api_.mem_free(copy.copy);
  private_.clear();
}

std::unique_ptr<Device> open_cuda_device(const core::DeviceInfo& info) {
  return std::make_unique<CudaDevice>(info);
}

}  // namespace hone::device::cuda
