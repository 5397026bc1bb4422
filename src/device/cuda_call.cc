// One call of a candidate: prepare() maps memory and encodes arguments; go() does what comes before
// launches (cuda_before_launches.h), launches, and reads the clocks.
#include <fmt/format.h>
#include <set>

#include <chrono>
#include <cstdio>

#include "device/cuda_cupti.h"
#include "device/cuda_device.h"

namespace hone::device::cuda {
namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

// ---- prepare

base::Result<bool> CudaDevice::prepare(const CallRequest& request) {
  session_.make_current();
  ready_ = false;
  // After a fault on the device every call of the context fails; only a new process gets a new
  // context.
  if (!lost_.empty()) return base::Failure{lost_};
  if (module_ == nullptr) return base::Failure{std::string("no image has been loaded")};
  drop_private();
  prepared_.clear();
  if (image_has_data_)  // written or not: it starts every call as the source says
    if (const auto error = load_module(); !error.empty()) return base::Failure{error};
  std::vector<int> used;
  for (const auto& set : request.sets)
    for (const auto& binding : set) {
      if (!blocks_.knows(binding.block))
        return base::Failure{fmt::format("block {} was never imported", binding.block)};
      used.push_back(binding.block);
    }
  if (const auto error = blocks_.map(used, request.fresh_addresses); !error.empty())
    return base::Failure{error};
  for (std::size_t i = 0; i < request.sets.size(); ++i) {
    const std::size_t before = prepared_.size();
    if (const auto error = prepare_set(request, request.sets[i]); !error.empty())
      return base::Failure{error};
    for (std::size_t at = before; at < prepared_.size(); ++at) prepared_[at].set = i;
    if (request.flush) span(i);
  }
  if (prepared_.empty()) return base::Failure{std::string("there is nothing to launch")};
  // The first launch of each is marked, and with it the number goes.
  std::set<int> to_mark(request.marked.begin(), request.marked.end());
  for (auto& launch : prepared_) launch.marked = to_mark.erase(launch.launch) > 0;
  flush_ = request.flush;
  record_ = request.record;
  one_by_one_ = request.one_by_one;
  if (record_)
    if (const auto problem = start_recording(); !problem.empty()) return base::Failure{problem};
  ready_ = true;
  return true;
}

std::string CudaDevice::prepare_set(const CallRequest& request, const BindingSet& set) {
  std::vector<Address> addresses;
  std::vector<TensorMapBits> maps;
  if (auto error = addresses_of(request, set, addresses); !error.empty()) return error;
  if (auto error = encode_maps(request.plan, addresses, maps); !error.empty()) return error;
  for (const auto& launch : request.plan.launches) {
    if (launch.plan_index == request.skip_launch) continue;
    if (auto error = prepare_launch(launch, addresses, maps); !error.empty()) return error;
  }
  return {};
}

std::string CudaDevice::addresses_of(const CallRequest& request, const BindingSet& set,
                                     std::vector<Address>& addresses) {
  const auto& buffers = request.plan.buffers;
  if (set.size() != buffers.size())
    return fmt::format("{} buffers are bound, the plan has {}", set.size(), buffers.size());
  Steps step;
  for (std::size_t i = 0; i < set.size(); ++i) {
    const std::uint64_t room = blocks_.bytes(set[i].block);
    // Without an addition, which could overflow.
    if (set[i].offset > room || buffers[i].bytes > room - set[i].offset)
      return fmt::format("buffer '{}' reaches past its block", buffers[i].name);
    Address address = blocks_.address(set[i].block) + set[i].offset;
    if (request.private_memory && buffers[i].bytes > 0) {
      PrivateCopy copy{.from = address,
                       .bytes = buffers[i].bytes,
                       .starts_unset = buffers[i].role == core::ResolvedBuffer::Role::scratch};
      if (!step("allocating '" + buffers[i].name + "'", api_.mem_alloc(&copy.copy, copy.bytes)))
        return step.error();
      private_.push_back(copy);
      if (request.one_by_one)  // into the log, beside the checker's words
        std::fprintf(stderr, "hone memory 0x%llx %llu %s\n",
                     static_cast<unsigned long long>(copy.copy),
                     static_cast<unsigned long long>(copy.bytes), buffers[i].name.c_str());
      address = copy.copy;
    }
    addresses.push_back(address);
  }
  return {};
}

std::string CudaDevice::encode_maps(const core::ResolvedPlan& plan,
                                    const std::vector<Address>& addresses,
                                    std::vector<TensorMapBits>& maps) {
  std::set<int>
      used;  // a map over a shape that only another case's launch takes may not be encodable here
  for (const auto& launch : plan.launches)
    for (const auto& arg : launch.args)
      if (arg.kind == core::ResolvedArg::Kind::tensormap) used.insert(arg.index);
  for (std::size_t i = 0; i < plan.tensormaps.size(); ++i) {
    const auto& map = plan.tensormaps[i];
    if (!used.contains(static_cast<int>(i))) {
      maps.emplace_back();
      continue;
    }
    if (map.buffer < 0 || static_cast<std::size_t>(map.buffer) >= addresses.size())
      return fmt::format("tensor map '{}' is over a buffer that the plan does not have", map.name);
    if (api_.tensor_map_encode == nullptr || session_.attribute(attribute_tensor_map) == 0)
      return fmt::format(
          "tensor map '{}': this device has no tensor copy engine (compute capability 9.0 or newer "
          "is needed)",
          map.name);
    const auto tiled = tiled_map(map, plan.buffers[static_cast<std::size_t>(map.buffer)]);
    if (!tiled) return tiled.error();
    TensorMapBits bits{};
    Steps step;
    if (!step("encoding tensor map '" + map.name + "'",
              api_.tensor_map_encode(
                  &bits, tiled->type, static_cast<std::uint32_t>(tiled->rank),
                  reinterpret_cast<void*>(addresses[static_cast<std::size_t>(map.buffer)]),
                  tiled->dims.data(), tiled->strides.data(), tiled->box.data(),
                  tiled->element_strides.data(), tiled->interleave, tiled->swizzle, tiled->l2,
                  tiled->fill)))
      return step.error();
    maps.push_back(bits);
  }
  return {};
}

// Tells the driver what the launch goes beyond the defaults in; checks what depends on the kernel
// and the device together.
std::string CudaDevice::allow(const core::ResolvedLaunch& launch, const Kernel& kernel) {
  Steps step;
  const std::string name = name_of(launch);
  // It is a limit of the kernel's, not of the launch: with several launches the largest counts.
  std::int64_t& most = most_shared_[launch.kernel];
  if (launch.shared > most) {
    most = launch.shared;
    if (!step(name + ": asking for dynamic shared memory",
              api_.function_set_attribute(kernel.function, function_max_dynamic_shared,
                                          static_cast<int>(most))))
      return step.error();
  }
  const core::Dim3& cluster =
      launch.cluster[0] != 0 ? launch.cluster : kernel.more.compiled_cluster;
  if (product_of(cluster) > portable_cluster &&
      !step(name + ": asking for a cluster of more than 8 blocks",
            api_.function_set_attribute(kernel.function, function_non_portable_cluster, 1)))
    return step.error();
  if (!launch.cooperative) return {};
  int per_sm = 0;
  const auto threads = static_cast<int>(launch.block[0] * launch.block[1] * launch.block[2]);
  if (!step(name + ": asking how many blocks fit",
            api_.blocks_per_sm(&per_sm, kernel.function, threads,
                               static_cast<std::size_t>(launch.shared))))
    return step.error();
  if (const std::int64_t fit = per_sm * limits_.sm_count; product_of(launch.grid) > fit)
    return fmt::format(
        "{}: a cooperative launch needs all its blocks resident at once, and only {} fit ({} on "
        "each of {} multiprocessors)",
        name, fit, per_sm, limits_.sm_count);
  return {};
}

std::string CudaDevice::prepare_launch(const core::ResolvedLaunch& launch,
                                       const std::vector<Address>& addresses,
                                       const std::vector<TensorMapBits>& maps) {
  const auto found = kernels_.find(launch.kernel);
  if (found == kernels_.end()) return fmt::format("{}: the kernel was not loaded", name_of(launch));
  const Kernel& kernel = found->second;
  if (auto text = launch_complaint(launch, kernel.info, kernel.more, limits_); !text.empty())
    return text;
  if (auto text = allow(launch, kernel); !text.empty()) return text;
  auto slots = encode_arguments(launch, kernel.info, addresses, maps);
  if (!slots) return slots.error();
  Prepared ready{.name = name_of(launch),
                 .launch = launch.plan_index,
                 .function = kernel.function,
                 .slots = std::move(slots).value()};
  for (auto& slot : ready.slots) ready.pointers.push_back(slot.bytes.data());
  const auto number = [](std::int64_t value) { return static_cast<unsigned>(value); };
  ready.config = {number(launch.grid[0]),
                  number(launch.grid[1]),
                  number(launch.grid[2]),
                  number(launch.block[0]),
                  number(launch.block[1]),
                  number(launch.block[2]),
                  number(launch.shared),
                  session_.stream(),
                  nullptr,
                  0};
  if (launch.cooperative) {
    auto& attribute = ready.attributes[ready.config.attribute_count++];
    attribute.id = launch_cooperative;
    attribute.value.cooperative = 1;
  }
  if (launch.cluster[0] != 0 &&
      kernel.more.compiled_cluster[0] == 0) {  // compiled in, it needs no saying
    auto& attribute = ready.attributes[ready.config.attribute_count++];
    attribute.id = launch_cluster;
    attribute.value.cluster = {number(launch.cluster[0]), number(launch.cluster[1]),
                               number(launch.cluster[2])};
  }
  prepared_.push_back(std::move(ready));
  return {};
}

// ---- go

void CudaDevice::begin_call(std::size_t index, Steps& step) {
  if (flush_) before_launches_.scrub_and_flush(most_local_, step);
  // Profilers and sanitizers serialise everything; there is nothing to hold for. A recorded launch
  // takes the host some times as long. Calls after the first are queued while that one runs.
  if (index == 0 && private_.empty())
    before_launches_.hold_for(static_cast<int>(prepared_.size()) * (record_ ? 4 : 1), step);
  step("recording an event", api_.event_record(spans_[index].start, session_.stream()));
}

void CudaDevice::end_call(std::size_t index, Steps& step) {
  step("recording an event", api_.event_record(spans_[index].stop, session_.stream()));
}

double CudaDevice::timed_seconds(std::size_t spans, Steps& step) const {
  double seconds = 0;
  for (std::size_t i = 0; i < spans; ++i) {
    float milliseconds = 0;
    step("reading the events", api_.event_elapsed(&milliseconds, spans_[i].start, spans_[i].stop));
    seconds += 1e-3 * static_cast<double>(milliseconds);
  }
  return seconds;
}

// Queues everything behind the first start event. seen_start becomes the host's time when it saw
// that event pass (asked between launches, because queueing many takes longer than the hold), or
// stays 0.
std::string CudaDevice::launch_all(double& seen_start, Steps& step) {
  std::size_t call = 0;
  for (auto& ready : prepared_) {
    if (flush_ && ready.set != call) {
      end_call(call, step);
      begin_call(call = ready.set, step);
    }
    LaunchConfig& c = ready.config;
    c.attributes = ready.attributes.data();
    if (ready.marked && api_.profiler_start != nullptr) (void)api_.profiler_start();
    const Result result =
        c.attribute_count > 0
            ? api_.launch_ex(&c, ready.function, ready.pointers.data(), nullptr)
            : api_.launch(ready.function, c.grid_x, c.grid_y, c.grid_z, c.block_x, c.block_y,
                          c.block_z, c.shared_bytes, c.stream, ready.pointers.data(), nullptr);
    if (ready.marked && api_.profiler_stop != nullptr) (void)api_.profiler_stop();
    if (result != success) return fmt::format("{}: {}", ready.name, error_text(result));
    if (one_by_one_)
      if (const Result ended = api_.stream_synchronize(session_.stream()); ended != success)
        return fmt::format("{}: {}", ready.name, error_text(ended));
    if (seen_start == 0 && api_.event_query(spans_.front().start) == success) seen_start = now();
  }
  return {};
}

std::string CudaDevice::launch_names() const {
  if (prepared_.size() == 1) return prepared_[0].name;
  std::string names = "one of ";
  for (std::size_t i = 0; i < prepared_.size() && i < 8; ++i)
    names += (i == 0 ? "" : ", ") + prepared_[i].name;
  return prepared_.size() > 8 ? fmt::format("{} and {} more", names, prepared_.size() - 8) : names;
}

CallReport CudaDevice::go() {
  session_.make_current();
  CallReport report;
  if (!ready_) {
    report.error = lost_.empty() ? "nothing was prepared" : lost_;
    return report;
  }
  Steps step;
  // Only now: the contents come after everything was mapped.
  for (const auto& copy : private_)
    if (!copy.starts_unset)
      step("copying inputs into memory of its own",
           api_.copy_on_device(copy.copy, copy.from, copy.bytes, session_.stream()));
  before_launches_.reset_persisting(step);
  begin_call(0, step);
  if (!step.error().empty()) {
    report.error = "before the call: " + step.error();
    return report;
  }
  double begin = private_.empty() ? 0 : now();
  if (record_) record_begin_ = recording_time();
  report.error = launch_all(begin, step);
  if (record_) record_queued_ = recording_time();
  const std::size_t last = flush_ ? prepared_.back().set : 0;
  end_call(last, step);
  if (flush_) before_launches_.ask_whether_written(step);
  while (begin == 0) {
    const Result result = api_.event_query(spans_.front().start);
    begin = now();
    if (result == error_not_ready) begin = 0;
  }
  // Returns when all of the call is over, or with the fault that ended it.
  const Result result = api_.stream_synchronize(session_.stream());
  report.runner_seconds = now() - begin;
  if (record_) record_end_ = recording_time();
  if (result != success) {
    if (!one_by_one_ || report.error.empty())
      report.error = fmt::format("{}: {}", launch_names(), error_text(result));
    lost_ = "the device's context was lost in an earlier call (" + report.error +
            "): a new runner is needed";
    ready_ = false;
    return report;
  }
  report.device_seconds = timed_seconds(last + 1, step);
  if (before_launches_.was_written() && report.error.empty())
    report.error = "memory of the runner's own was written: a kernel may write to its buffers only";
  for (const auto& copy : private_)
    if (!copy.starts_unset)
      step("copying results out",
           api_.copy_on_device(copy.from, copy.copy, copy.bytes, session_.stream()));
  if (!private_.empty()) step("copying results out", api_.stream_synchronize(session_.stream()));
  if (report.error.empty()) report.error = step.error();
  report.ok = report.error.empty();
  return report;
}

base::Result<std::vector<Activity>> CudaDevice::activities() {
  session_.make_current();
  if (!record_ || record_end_ == 0)
    return base::Failure{std::string("the last call was not recorded")};
  const auto records = take_records();
  if (!records) return base::Failure{records.error()};
  std::vector<int> launches;
  for (const auto& launch : prepared_) launches.push_back(launch.launch);
  return call_activities(*records, record_begin_, record_queued_, record_end_, launches);
}

}  // namespace hone::device::cuda
