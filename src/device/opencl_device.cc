#include "device/opencl_device.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <tuple>

#include "base/error.h"
#include "device/host_blocks.h"
#include "device/host_threads.h"
#include "device/opencl_image.h"
#include "device/opencl_library.h"

namespace hone::device {
namespace {

using Kind = KernelParameter::Kind;
using ArgKind = core::ResolvedArg::Kind;

struct LoadedKernel {
  ClKernel kernel;
  KernelInfo info;
};

// An argument as clSetKernelArg takes it. Buffers are filled in for each binding set.
struct EncodedArg {
  ArgKind kind = ArgKind::integer;
  int buffer = 0;
  std::size_t size = 0;
  std::array<unsigned char, 8> bits{};
};

struct EncodedLaunch {
  const LoadedKernel* kernel = nullptr;
  std::string name;  // "launch 2 ('row_max')", for messages
  std::size_t global[3] = {1, 1, 1}, local[3] = {1, 1, 1};
  std::vector<EncodedArg> args;
};

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

base::Result<EncodedArg> encode(const core::ResolvedArg& arg, const KernelParameter& parameter) {
  const auto refuse = [&](const std::string& why) {
    return base::Failure{
        fmt::format("argument '{}' for parameter '{}' ({}): {}", arg.text, parameter.name, parameter.type, why)};
  };
  EncodedArg encoded{.kind = arg.kind, .buffer = arg.index};
  switch (arg.kind) {
    case ArgKind::tensormap:
      return refuse("tensor maps are CUDA's");
    case ArgKind::buffer:
      if (parameter.kind == Kind::scalar || parameter.kind == Kind::local)
        return refuse("the kernel takes no buffer here");
      encoded.size = sizeof(cl_mem);
      return encoded;
    case ArgKind::local:
      if (parameter.kind == Kind::scalar || parameter.kind == Kind::buffer)
        return refuse("the kernel takes no local buffer here");
      encoded.size = static_cast<std::size_t>(arg.integer);
      return encoded;
    case ArgKind::scalar:
      if (parameter.kind == Kind::buffer || parameter.kind == Kind::local)
        return refuse("the kernel takes a pointer here");
      encoded.size = core::size_of(arg.dtype);
      if (parameter.bytes != 0 && parameter.bytes != encoded.size)
        return refuse(fmt::format("it has {} bytes, the kernel takes {}", encoded.size, parameter.bytes));
      encoded.bits = arg.bits;
      return encoded;
    case ArgKind::integer:
      break;
  }
  if (parameter.kind == Kind::buffer || parameter.kind == Kind::local) return refuse("the kernel takes a pointer here");
  for (std::string_view real : {"float", "double", "half"})
    if (parameter.type == real)
      return refuse("the kernel takes a floating-point number; write it typed, as in f32:0.5");
  // Where the width is not told (a typedef out of sight) eight bytes do: the kernel reads the low ones.
  encoded.size = parameter.bytes == 0 ? 8 : parameter.bytes;
  if (encoded.size > 8) return refuse("an integer cannot be a vector");
  const auto bits = static_cast<int>(8 * encoded.size);
  const bool fits =
      bits == 64 || (arg.integer >= -(std::int64_t{1} << (bits - 1)) && arg.integer < (std::int64_t{1} << bits));
  if (!fits) return refuse(fmt::format("{} does not fit in {} bytes", arg.integer, encoded.size));
  std::memcpy(encoded.bits.data(), &arg.integer, encoded.size);  // two's complement, little-endian
  return encoded;
}

class OpenClRunnerDevice : public Device {
 public:
  explicit OpenClRunnerDevice(const core::DeviceInfo& info)
      : info_(info), device_(opencl_device(info.id).device), context_(make_context(device_)) {
    cl_int code = CL_SUCCESS;
    queue_.reset(opencl().CreateCommandQueue(context_.get(), device_, CL_QUEUE_PROFILING_ENABLE, &code));
    if (!queue_)
      base::fail(base::ExitCode::environment, "{}: cannot make a command queue: {}", info_.id, opencl_error(code));
  }

  const core::DeviceInfo& info() const override { return info_; }

  base::Result<std::vector<KernelInfo>> load(const std::string& image, const std::vector<std::string>& names) override;

  int import_block(base::Fd fd, std::uint64_t bytes) override { return blocks_.import(std::move(fd), bytes); }
  void drop_blocks() override {
    forget_call();
    blocks_.drop();
  }

  base::Result<bool> prepare(const CallRequest& request) override;
  CallReport go() override;

 private:
  base::Result<EncodedLaunch> encode_launch(const core::ResolvedLaunch& launch) const;
  base::Result<cl_mem> buffer_at(const core::ResolvedBuffer& buffer, const BufferBinding& binding, bool in_private);
  std::string enqueue_all(ClEvent& first, ClEvent& last);
  std::string enqueue(const EncodedLaunch& launch, const std::vector<cl_mem>& buffers, ClEvent* event);
  std::string make_visible();
  void flush_caches();
  void forget_call();

  core::DeviceInfo info_;
  cl_device_id device_;
  ClContext context_;
  ClQueue queue_;
  ClProgram program_;
  std::map<std::string, LoadedKernel> kernels_;
  HostBlocks blocks_;
  std::vector<unsigned char> flush_;

  // The call being prepared. Buffers go before the memory they lie on.
  std::vector<EncodedLaunch> launches_;
  std::vector<std::vector<cl_mem>> sets_;
  std::vector<PrivateCopy> copies_;
  std::map<std::tuple<int, std::uint64_t, std::uint64_t>, ClBuffer>
      buffers_;  // by block, offset and size: sets may share them
  bool flush_wanted_ = false;
};

base::Result<std::vector<KernelInfo>> OpenClRunnerDevice::load(const std::string& image_text,
                                                               const std::vector<std::string>& names) {
  forget_call();
  kernels_.clear();
  auto image = read_image(image_text);
  if (!image) return base::Failure{image.error()};
  const auto* bytes = reinterpret_cast<const unsigned char*>(image->binary.data());
  const std::size_t size = image->binary.size();
  cl_int status = CL_SUCCESS, code = CL_SUCCESS;
  program_.reset(opencl().CreateProgramWithBinary(context_.get(), 1, &device_, &size, &bytes, &status, &code));
  if (program_) code = opencl().BuildProgram(program_.get(), 1, &device_, "", nullptr, nullptr);
  if (code != CL_SUCCESS) return base::Failure{"the image cannot be loaded: " + opencl_error(code)};

  std::vector<KernelInfo> found;
  for (const std::string& name : names) {
    const auto known = std::find_if(image->kernels.begin(), image->kernels.end(),
                                    [&](const KernelInfo& kernel) { return kernel.name == name; });
    if (known == image->kernels.end()) {
      std::string all;
      for (const KernelInfo& kernel : image->kernels) all += (all.empty() ? "" : ", ") + kernel.name;
      return base::Failure{fmt::format("the source has no kernel '{}' (it has: {})", name, all)};
    }
    LoadedKernel loaded{.kernel = ClKernel(opencl().CreateKernel(program_.get(), name.c_str(), &code)), .info = *known};
    if (!loaded.kernel) return base::Failure{fmt::format("kernel '{}': {}", name, opencl_error(code))};
    std::size_t threads = 0;
    cl_ulong local = 0, spilled = 0;
    const auto ask = [&](cl_kernel_work_group_info what, auto& value) {
      return opencl().GetKernelWorkGroupInfo(loaded.kernel.get(), device_, what, sizeof value, &value, nullptr) ==
             CL_SUCCESS;
    };
    if (ask(CL_KERNEL_WORK_GROUP_SIZE, threads)) loaded.info.max_threads = static_cast<std::int64_t>(threads);
    if (ask(CL_KERNEL_LOCAL_MEM_SIZE, local)) loaded.info.shared_bytes = static_cast<std::int64_t>(local);
    if (ask(CL_KERNEL_PRIVATE_MEM_SIZE, spilled)) loaded.info.local_bytes = static_cast<std::int64_t>(spilled);
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

base::Result<EncodedLaunch> OpenClRunnerDevice::encode_launch(const core::ResolvedLaunch& launch) const {
  EncodedLaunch encoded{.name = fmt::format("launch {} ('{}')", launch.plan_index + 1, launch.kernel)};
  const auto refuse = [&](const std::string& why) { return base::Failure{encoded.name + ": " + why}; };
  if (launch.shared != 0) return refuse("`shared` is CUDA's; OpenCL takes local buffers as arguments (local:BYTES)");
  if (launch.cluster != core::Dim3{0, 0, 0}) return refuse("`cluster` is CUDA's; OpenCL has no clusters");
  if (launch.cooperative) return refuse("`cooperative` is CUDA's; OpenCL has no grid-wide barrier");
  const auto kernel = kernels_.find(launch.kernel);
  if (kernel == kernels_.end()) return refuse("the kernel is not loaded");
  encoded.kernel = &kernel->second;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::int64_t global = 0;
    if (launch.grid[axis] <= 0 || launch.block[axis] <= 0 ||
        __builtin_mul_overflow(launch.grid[axis], launch.block[axis], &global))
      return refuse(fmt::format("a grid of {} blocks of {} cannot be launched", launch.grid[axis], launch.block[axis]));
    encoded.global[axis] = static_cast<std::size_t>(global);
    encoded.local[axis] = static_cast<std::size_t>(launch.block[axis]);
  }
  const auto& parameters = kernel->second.info.parameters;
  if (launch.args.size() != parameters.size())
    return refuse(
        fmt::format("the plan gives {} arguments, the kernel takes {}", launch.args.size(), parameters.size()));
  for (std::size_t index = 0; index < parameters.size(); ++index) {
    auto arg = encode(launch.args[index], parameters[index]);
    if (!arg) return refuse(arg.error());
    encoded.args.push_back(*arg);
  }
  return encoded;
}

base::Result<cl_mem> OpenClRunnerDevice::buffer_at(const core::ResolvedBuffer& buffer, const BufferBinding& binding,
                                                   bool in_private) {
  ClBuffer& made = buffers_[{binding.block, binding.offset, buffer.bytes}];
  if (made) return made.get();
  unsigned char* place = blocks_.address(binding, buffer.bytes);
  if (!place) return base::Failure{fmt::format("buffer '{}' lies outside its memory block", buffer.name)};
  if (in_private) {
    void* memory = nullptr;
    if (::posix_memalign(&memory, vector_alignment, buffer.bytes) != 0)
      return base::Failure{fmt::format("buffer '{}': no memory for {} bytes", buffer.name, buffer.bytes)};
    copies_.push_back({.memory = decltype(PrivateCopy::memory)(static_cast<unsigned char*>(memory)),
                       .origin = place,
                       .bytes = buffer.bytes});
    std::memcpy(memory, place, buffer.bytes);
    place = copies_.back().memory.get();
  }
  cl_int code = CL_SUCCESS;
  made.reset(
      opencl().CreateBuffer(context_.get(), CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, buffer.bytes, place, &code));
  if (!made)
    return base::Failure{fmt::format("buffer '{}' of {} bytes: {}", buffer.name, buffer.bytes, opencl_error(code))};
  return made.get();
}

base::Result<bool> OpenClRunnerDevice::prepare(const CallRequest& request) {
  forget_call();
  if (!request.plan.tensormaps.empty()) return base::Failure{std::string("tensor maps are CUDA's; OpenCL has none")};
  for (const core::ResolvedLaunch& launch : request.plan.launches) {
    if (launch.plan_index == request.skip_launch) continue;
    auto encoded = encode_launch(launch);
    if (!encoded) return base::Failure{encoded.error()};
    launches_.push_back(std::move(*encoded));
  }
  if (auto mapped = blocks_.map(request.fresh_addresses); !mapped) return mapped;
  for (const BindingSet& set : request.sets) {
    if (set.size() != request.plan.buffers.size())
      return base::Failure{std::string("a binding set does not cover the plan's buffers")};
    auto& buffers = sets_.emplace_back();
    for (std::size_t index = 0; index < set.size(); ++index) {
      const auto buffer = buffer_at(request.plan.buffers[index], set[index], request.private_memory);
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

std::string OpenClRunnerDevice::enqueue(const EncodedLaunch& launch, const std::vector<cl_mem>& buffers,
                                        ClEvent* event) {
  const cl_kernel kernel = launch.kernel->kernel.get();
  for (cl_uint index = 0; index < launch.args.size(); ++index) {
    const EncodedArg& arg = launch.args[index];
    const void* value = arg.kind == ArgKind::buffer
                            ? static_cast<const void*>(&buffers[static_cast<std::size_t>(arg.buffer)])
                        : arg.kind == ArgKind::local ? nullptr
                                                     : arg.bits.data();
    if (const cl_int code = opencl().SetKernelArg(kernel, index, arg.size, value); code != CL_SUCCESS)
      return fmt::format("{}, argument {}: {}", launch.name, index + 1, opencl_error(code));
  }
  cl_event raised = nullptr;
  const cl_int code = opencl().EnqueueNDRangeKernel(queue_.get(), kernel, 3, nullptr, launch.global, launch.local, 0,
                                                    nullptr, event ? &raised : nullptr);
  if (event) event->reset(raised);
  return code == CL_SUCCESS ? "" : fmt::format("{}: {}", launch.name, opencl_error(code));
}

// Only the first launch's start and the last one's end are wanted; an event costs time.
std::string OpenClRunnerDevice::enqueue_all(ClEvent& first, ClEvent& last) {
  const std::size_t total = sets_.size() * launches_.size();
  std::size_t done = 0;
  for (const auto& buffers : sets_)
    for (const EncodedLaunch& launch : launches_) {
      ClEvent* event = ++done == total ? &last : done == 1 ? &first : nullptr;
      if (std::string error = enqueue(launch, buffers, event); !error.empty()) return error;
    }
  return "";
}

void OpenClRunnerDevice::flush_caches() {
  constexpr std::uint64_t line = 64, share = 1 << 20;  // each core drives out its own caches too
  flush_.resize(static_cast<std::size_t>(2 * info_.l2_bytes));
  over_threads(flush_.size(), share, [&](std::uint64_t begin, std::uint64_t end) {
    volatile unsigned char* memory = flush_.data();
    for (std::uint64_t at = begin; at < end; at += line) memory[at] = static_cast<unsigned char>(memory[at] + 1);
  });
}

// A device with memory of its own gives its results back when the host maps the buffers. On a CPU they are there
// already.
std::string OpenClRunnerDevice::make_visible() {
  if (info_.is_cpu) return "";
  for (const auto& [key, buffer] : buffers_) {
    cl_int code = CL_SUCCESS;
    void* at = opencl().EnqueueMapBuffer(queue_.get(), buffer.get(), CL_TRUE, CL_MAP_READ, 0, std::get<2>(key), 0,
                                         nullptr, nullptr, &code);
    if (code == CL_SUCCESS) code = opencl().EnqueueUnmapMemObject(queue_.get(), buffer.get(), at, 0, nullptr, nullptr);
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
    opencl().EnqueueMigrateMemObjects(queue_.get(), static_cast<cl_uint>(all.size()), all.data(), 0, 0, nullptr,
                                      nullptr);
    opencl().Finish(queue_.get());
  }
  if (flush_wanted_) flush_caches();

  ClEvent first, last;
  const auto start = std::chrono::steady_clock::now();
  report.error = enqueue_all(first, last);
  const cl_int finished = opencl().Finish(queue_.get());
  report.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  if (report.error.empty() && finished != CL_SUCCESS)
    report.error = "waiting for the launches: " + opencl_error(finished);
  if (report.error.empty() && last) {
    cl_int status = CL_COMPLETE;
    opencl().GetEventInfo(last.get(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
    if (status < 0) report.error = fmt::format("{} ended with {}", launches_.back().name, opencl_error(status));
    cl_ulong begin = 0, end = 0;
    opencl().GetEventProfilingInfo(first ? first.get() : last.get(), CL_PROFILING_COMMAND_START, sizeof begin, &begin,
                                   nullptr);
    opencl().GetEventProfilingInfo(last.get(), CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr);
    report.device_seconds = end > begin ? static_cast<double>(end - begin) * 1e-9 : 0;
  }
  if (report.error.empty()) report.error = make_visible();
  for (const PrivateCopy& copy : copies_) std::memcpy(copy.origin, copy.memory.get(), copy.bytes);
  report.ok = report.error.empty();
  return report;
}

}  // namespace

std::unique_ptr<Device> open_opencl(const core::DeviceInfo& info) { return std::make_unique<OpenClRunnerDevice>(info); }

}  // namespace hone::device
