#include "device/opencl_device.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <tuple>

#include "base/error.h"
#include "device/host_blocks.h"
#include "device/host_flush.h"
#include "device/opencl_image.h"
#include "device/opencl_launch.h"
#include "device/opencl_library.h"

namespace hone::device {
namespace {

using ArgKind = core::ResolvedArg::Kind;

struct PrivateCopy {
  struct Free {
    void operator()(unsigned char* at) const { std::free(at); }
  };
  std::unique_ptr<unsigned char, Free> memory;
  unsigned char* origin = nullptr;
  std::uint64_t bytes = 0;
};

// OpenCL promises its kernels this much for the widest vector type.
constexpr std::size_t vector_alignment = 128;

// Where the source did not show how wide a scalar is, a strict driver does: it takes no other
// width. PoCL takes any, and the width stays open.
void ask_for_widths(LoadedKernel& loaded) {
  constexpr std::array<unsigned char, 8> zeros{};
  for (cl_uint index = 0; index < loaded.info.parameters.size(); ++index) {
    KernelParameter& parameter = loaded.info.parameters[index];
    const auto takes = [&](std::size_t width) {
      return opencl().SetKernelArg(loaded.kernel.get(), index, width, zeros.data()) == CL_SUCCESS;
    };
    if (parameter.kind != KernelParameter::Kind::scalar || parameter.bytes != 0 || takes(8))
      continue;
    for (const std::size_t width : {4, 2, 1})
      if (parameter.bytes == 0 && takes(width)) parameter.bytes = width;
  }
}

class OpenClRunnerDevice : public Device {
 public:
  explicit OpenClRunnerDevice(const core::DeviceInfo& info)
      : info_(info), device_(opencl_device(info.uuid).device), context_(make_context(device_)) {
    cl_int code = CL_SUCCESS;
    queue_.reset(
        opencl().CreateCommandQueue(context_.get(), device_, CL_QUEUE_PROFILING_ENABLE, &code));
    if (!queue_)
      base::fail(base::ExitCode::environment, "{}: cannot make a command queue: {}", info_.id,
                 opencl_error(code));
  }

  const core::DeviceInfo& info() const override { return info_; }

  base::Result<std::vector<KernelInfo>> load(const std::string& image,
                                             const std::vector<std::string>& names) override;

  int import_block(base::Fd fd, std::uint64_t bytes) override {
    return blocks_.import(std::move(fd), bytes);
  }
  void drop_blocks() override {
    forget_call();
    blocks_.drop();
  }

  base::Result<bool> prepare(const CallRequest& request) override;
  CallReport go() override;

 private:
  base::Result<cl_mem> buffer_at(const core::ResolvedBuffer& buffer, const BufferBinding& binding,
                                 bool in_private);
  std::string enqueue_all(ClEvent& first, ClEvent& last);
  std::string enqueue(const EncodedLaunch& launch, const std::vector<cl_mem>& buffers,
                      ClEvent* event);
  std::string make_visible();
  void forget_call();

  core::DeviceInfo info_;
  cl_device_id device_;
  ClContext context_;
  ClQueue queue_;
  ClProgram program_;
  LoadedKernels kernels_;
  HostBlocks blocks_;

  // The call being prepared. Buffers go before the memory they lie on.
  std::vector<EncodedLaunch> launches_;
  std::vector<std::vector<cl_mem>> sets_;
  std::vector<PrivateCopy> copies_;
  std::map<std::tuple<int, std::uint64_t, std::uint64_t>, ClBuffer>
      buffers_;  // by block, offset and size: sets may share them
  bool flush_wanted_ = false;
};

base::Result<std::vector<KernelInfo>> OpenClRunnerDevice::load(
    const std::string& image_text, const std::vector<std::string>& names) {
  forget_call();
  kernels_.clear();
  auto image = read_image(image_text);
  if (!image) return base::Failure{image.error()};
  const auto* bytes = reinterpret_cast<const unsigned char*>(image->binary.data());
  const std::size_t size = image->binary.size();
  cl_int status = CL_SUCCESS, code = CL_SUCCESS;
  program_.reset(
      opencl().CreateProgramWithBinary(context_.get(), 1, &device_, &size, &bytes, &status, &code));
  if (program_) code = opencl().BuildProgram(program_.get(), 1, &device_, "", nullptr, nullptr);
  if (code != CL_SUCCESS) return base::Failure{"the image cannot be loaded: " + opencl_error(code)};

  std::vector<KernelInfo> found;
  for (const std::string& name : names) {
    const auto known = std::find_if(image->kernels.begin(), image->kernels.end(),
                                    [&](const KernelInfo& kernel) { return kernel.name == name; });
    if (known == image->kernels.end()) {
      std::string all;
      for (const KernelInfo& kernel : image->kernels)
        all += (all.empty() ? "" : ", ") + kernel.name;
      return base::Failure{fmt::format("the source has no kernel '{}' (it has: {})", name, all)};
    }
    LoadedKernel loaded{
        .kernel = ClKernel(opencl().CreateKernel(program_.get(), name.c_str(), &code)),
        .info = *known};
    if (!loaded.kernel)
      return base::Failure{fmt::format("kernel '{}': {}", name, opencl_error(code))};
    ask_for_widths(loaded);
    std::size_t threads = 0;
    cl_ulong local = 0, spilled = 0;
    const auto ask = [&](cl_kernel_work_group_info what, auto& value) {
      return opencl().GetKernelWorkGroupInfo(loaded.kernel.get(), device_, what, sizeof value,
                                             &value, nullptr) == CL_SUCCESS;
    };
    if (ask(CL_KERNEL_WORK_GROUP_SIZE, threads))
      loaded.info.max_threads = static_cast<std::int64_t>(threads);
    if (ask(CL_KERNEL_LOCAL_MEM_SIZE, local))
      loaded.info.shared_bytes = static_cast<std::int64_t>(local);
    if (ask(CL_KERNEL_PRIVATE_MEM_SIZE, spilled))
      loaded.info.local_bytes = static_cast<std::int64_t>(spilled);
    found.push_back(loaded.info);
    kernels_.insert_or_assign(name, std::move(loaded));
  }
  return found;
}

void OpenClRunnerDevice::forget_call() {
  launches_.clear();
  sets_.clear();
  buffers_.clear();
  copies_.clear();
}

// A buffer over the judge's memory, without a copy; or over memory of its exact size, so that a
// checker sees what reaches past it.
base::Result<cl_mem> OpenClRunnerDevice::buffer_at(const core::ResolvedBuffer& buffer,
                                                   const BufferBinding& binding, bool in_private) {
  ClBuffer& made = buffers_[{binding.block, binding.offset, buffer.bytes}];
  if (made) return made.get();
  unsigned char* place = blocks_.address(binding, buffer.bytes);
  if (!place)
    return base::Failure{fmt::format("buffer '{}' lies outside its memory block", buffer.name)};
  if (in_private) {
    void* memory = nullptr;
    if (::posix_memalign(&memory, vector_alignment, buffer.bytes) != 0)
      return base::Failure{
          fmt::format("buffer '{}': no memory for {} bytes", buffer.name, buffer.bytes)};
    copies_.push_back({.memory = decltype(PrivateCopy::memory)(static_cast<unsigned char*>(memory)),
                       .origin = place,
                       .bytes = buffer.bytes});
    std::memcpy(memory, place, buffer.bytes);
    place = copies_.back().memory.get();
  }
  cl_int code = CL_SUCCESS;
  made.reset(opencl().CreateBuffer(context_.get(), CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                                   buffer.bytes, place, &code));
  if (!made)
    return base::Failure{
        fmt::format("buffer '{}' of {} bytes: {}", buffer.name, buffer.bytes, opencl_error(code))};
  return made.get();
}

base::Result<bool> OpenClRunnerDevice::prepare(const CallRequest& request) {
  forget_call();
  if (!request.plan.tensormaps.empty())
    return base::Failure{std::string("tensor maps are CUDA's; OpenCL has none")};
  for (const core::ResolvedLaunch& launch : request.plan.launches) {
    if (launch.plan_index == request.skip_launch) continue;
    auto encoded = encode_launch(launch, kernels_);
    if (!encoded) return base::Failure{encoded.error()};
    // Asked here, so that the message says which launch it is and how much there is.
    if (const auto local = local_bytes(*encoded);
        local > static_cast<std::uint64_t>(info_.shared_per_block))
      return base::Failure{
          fmt::format("{}: its local buffers have {} bytes; {} has {} for a work-group",
                      encoded->name, local, info_.id, info_.shared_per_block)};
    launches_.push_back(std::move(*encoded));
  }
  if (auto mapped = blocks_.map(request.fresh_addresses); !mapped) return mapped;
  for (const BindingSet& set : request.sets) {
    if (set.size() != request.plan.buffers.size())
      return base::Failure{std::string("a binding set does not cover the plan's buffers")};
    auto& buffers = sets_.emplace_back();
    for (std::size_t index = 0; index < set.size(); ++index) {
      const auto buffer =
          buffer_at(request.plan.buffers[index], set[index], request.private_memory);
      if (!buffer) return base::Failure{buffer.error()};
      buffers.push_back(*buffer);
    }
  }
  for (const EncodedLaunch& launch : launches_)
    for (const EncodedArg& arg : launch.args)
      if (arg.kind == ArgKind::buffer &&
          (arg.buffer < 0 || static_cast<std::size_t>(arg.buffer) >= request.plan.buffers.size()))
        return base::Failure{launch.name + ": an argument names a buffer the plan does not have"};
  flush_wanted_ = request.flush;
  return true;
}

std::string OpenClRunnerDevice::enqueue(const EncodedLaunch& launch,
                                        const std::vector<cl_mem>& buffers, ClEvent* event) {
  const cl_kernel kernel = launch.kernel->kernel.get();
  // For every launch anew: one kernel may be launched several times with other arguments.
  for (cl_uint index = 0; index < launch.args.size(); ++index) {
    const EncodedArg& arg = launch.args[index];
    const void* value =
        arg.kind == ArgKind::buffer
            ? static_cast<const void*>(&buffers[static_cast<std::size_t>(arg.buffer)])
        : arg.kind == ArgKind::local ? nullptr
                                     : arg.bits.data();
    if (const cl_int code = opencl().SetKernelArg(kernel, index, arg.size, value);
        code != CL_SUCCESS)
      return fmt::format("{}, argument {}: {}", launch.name, index + 1, opencl_error(code));
  }
  cl_event raised = nullptr;
  const cl_int code =
      opencl().EnqueueNDRangeKernel(queue_.get(), kernel, 3, nullptr, launch.global, launch.local,
                                    0, nullptr, event ? &raised : nullptr);
  if (event) event->reset(raised);
  return code == CL_SUCCESS ? "" : fmt::format("{}: {}", launch.name, opencl_error(code));
}

// Only the first launch's start and the last one's end are wanted; an event costs time.
std::string OpenClRunnerDevice::enqueue_all(ClEvent& first, ClEvent& last) {
  const std::size_t total = sets_.size() * launches_.size();
  std::size_t done = 0;
  for (const auto& buffers : sets_)
    for (const EncodedLaunch& launch : launches_) {
      // A single launch is the last one, and both its times are asked of it.
      ClEvent* event = ++done == total ? &last : done == 1 ? &first : nullptr;
      if (std::string error = enqueue(launch, buffers, event); !error.empty()) return error;
    }
  return "";
}

// A device with memory of its own gives its results back when the host maps the buffers. On a CPU
// they are there already.
std::string OpenClRunnerDevice::make_visible() {
  if (info_.is_cpu) return "";
  for (const auto& [key, buffer] : buffers_) {
    cl_int code = CL_SUCCESS;
    void* at = opencl().EnqueueMapBuffer(queue_.get(), buffer.get(), CL_TRUE, CL_MAP_READ, 0,
                                         std::get<2>(key), 0, nullptr, nullptr, &code);
    if (code == CL_SUCCESS)
      code = opencl().EnqueueUnmapMemObject(queue_.get(), buffer.get(), at, 0, nullptr, nullptr);
    if (code != CL_SUCCESS) return "reading the results back: " + opencl_error(code);
  }
  const cl_int code = opencl().Finish(queue_.get());
  return code == CL_SUCCESS ? "" : "reading the results back: " + opencl_error(code);
}

CallReport OpenClRunnerDevice::go() {
  CallReport report;
  if (!info_.is_cpu && !buffers_.empty()) {  // moving the inputs over is not the kernel's time
    std::vector<cl_mem> all;
    for (const auto& [key, buffer] : buffers_) all.push_back(buffer.get());
    opencl().EnqueueMigrateMemObjects(queue_.get(), static_cast<cl_uint>(all.size()), all.data(), 0,
                                      0, nullptr, nullptr);
    opencl().Finish(queue_.get());
  }
  if (flush_wanted_ && !info_.is_cpu)
    flush_host_caches(info_.l2_bytes);  // on a CPU the judge has done it

  ClEvent first, last;
  const auto start = std::chrono::steady_clock::now();
  report.error = enqueue_all(first, last);
  // Also where queueing failed: what was queued before must be over when the call is.
  const cl_int finished = opencl().Finish(queue_.get());
  report.runner_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  if (report.error.empty() && finished != CL_SUCCESS)
    report.error = "waiting for the launches: " + opencl_error(finished);
  if (report.error.empty() && last) {
    cl_int status = CL_COMPLETE;
    opencl().GetEventInfo(last.get(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                          nullptr);
    if (status < 0)
      report.error = fmt::format("{} ended with {}", launches_.back().name, opencl_error(status));
    cl_ulong begin = 0, end = 0;
    opencl().GetEventProfilingInfo(first ? first.get() : last.get(), CL_PROFILING_COMMAND_START,
                                   sizeof begin, &begin, nullptr);
    opencl().GetEventProfilingInfo(last.get(), CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr);
    report.device_seconds = end > begin ? static_cast<double>(end - begin) * 1e-9 : 0;
  }
  if (report.error.empty()) report.error = make_visible();
  for (const PrivateCopy& copy : copies_) std::memcpy(copy.origin, copy.memory.get(), copy.bytes);
  report.ok = report.error.empty();
  return report;
}

}  // namespace

std::unique_ptr<Device> open_opencl(const core::DeviceInfo& info) {
  return std::make_unique<OpenClRunnerDevice>(info);
}

}  // namespace hone::device
