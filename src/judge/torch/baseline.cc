#include "judge/torch/baseline.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/json.h"
#include "core/precision.h"
#include "core/stats.h"
#include "device/host_flush.h"
#include "judge/floors.h"
#include "judge/lease.h"
#include "judge/load.h"
#include "judge/python/batch.h"
#include "judge/secrets.h"
#include "judge/since.h"
#include "judge/torch/truth_torch.h"
#include "runner/python.h"

namespace hone::judge {

const std::vector<std::string> class_names(core::precision_classes.begin(),
                                           core::precision_classes.end());

namespace {

constexpr double call_seconds = 60, prepare_seconds = 60;  // limits
constexpr int warm_up_calls = 2;                           // by each process, not counted
constexpr std::size_t input_sets = 4;                      // used in turn
constexpr std::uint64_t large_entry = 4ull << 30;          // of inputs this large there is one set
constexpr std::size_t counted_batches = 5;  // by each process, after one that warms up
constexpr std::uint64_t scratch_bytes = 4ull << 30, memory_bytes = 96ull << 30;

// The name that resources/python/problem.py has for it.
std::string precision_of(const std::string& class_name) {
  return class_name == "fp32" ? "f32" : class_name == "tf32" ? "tf32" : "default";
}

// The protocol class compares with eager only.
bool is_measured(const std::string& class_name, const std::string& mode) {
  return class_name != "protocol" || mode == "eager";
}

// One process: a mode in a class of precision.
struct TorchProcess {
  BaselineResult result;
  std::unique_ptr<runner::Runner> runner;  // null: all of its times are there, or it failed
  std::vector<device::BindingSet>
      sets;  // one for each call of a batch; the first are the working buffers
  int plan = 0, calls = 0;
  std::vector<double> batches;  // seconds of a call in each batch; the first batch warms up

  bool done() const { return !runner; }
  bool has_batches() const { return batches.size() > counted_batches; }
  void fail(std::string why) {
    runner.reset();
    result.measured.reset();
    result.missing = std::move(why);
  }
};

// What the processes share while they are timed.
struct Timing {
  Timing(Judge& judge_, const core::Case& which_)
      : judge(judge_),
        which(which_),
        ops(judge.tensor_ops()),
        shapes(task_shapes(judge.task(), which)),
        rule(judge.options().sampling ? *judge.options().sampling
                                      : rule_for(core::clock_of(judge.info()), false)),
        flush(ops, judge.info().l2_bytes) {}

  Judge& judge;
  const core::Case& which;
  device::TensorOps& ops;
  TaskShapes shapes;
  SamplingRule rule;
  PythonCost cost;  // zero on a CPU
  CacheFlush flush;
};

void bind_process(Timing& timing, TorchProcess& process, const BufferSet& working) {
  core::ResolvedPlan plan;
  plan.call =
      torch_call(timing.judge.task(), timing.which, precision_of(process.result.class_name));
  for (const auto& buffer : working.all()) plan.buffers.push_back(buffer.shape);
  const auto bindings = share(*process.runner, timing.ops, working);
  if (!bindings) return process.fail(bindings.error().text);
  process.sets = {*bindings};
  const auto id = process.runner->plan(plan);
  if (!id) return process.fail(id.error().text);
  process.plan = *id;
  auto& result = process.result.measured.emplace();
  result.name = timing.which.name;
  result.timed = true;
}

// Inputs from the entry, poison in the outputs.
void fill_buffers(Timing& timing, const BufferSet& working, const Entry& entry) {
  for (std::size_t i = 0; i < working.all().size(); ++i) {
    const auto& buffer = working.all()[i];
    if (i < timing.shapes.inputs.size())
      timing.ops.copy(entry.inputs->all()[i].data, buffer.data);
    else
      timing.ops.poison(buffer.data, buffer.shape.dtype, timing.judge.secrets().seed());
  }
}

void add_errors(Timing& timing, TorchProcess& process, const BufferSet& working,
                const Entry& entry) {
  auto& result = *process.result.measured;
  const std::size_t inputs = timing.shapes.inputs.size();
  for (std::size_t i = 0; i < timing.shapes.outputs.size(); ++i) {
    const auto distance =
        timing.ops.distance(working.all()[inputs + i].data, timing.shapes.outputs[i].dtype,
                            entry.expected->all()[i].data, entry.scales[i], 1);
    if (distance.nonfinite > 0) return process.fail("its results are not finite");
    result.error_max = std::max(result.error_max, distance.max);
    result.error_rms = std::max(result.error_rms, distance.rms);
  }
}

// One call, timed as device code is. The first one also gives the errors.
void time_call(Timing& timing, TorchProcess& process, const BufferSet& working,
               const Entry& entry) {
  const runner::PrepareRequest request{.plan = process.plan, .sets = {process.sets.front()}};
  if (const auto ready = process.runner->prepare(request, prepare_seconds); !ready)
    return process.fail(ready.error().text);
  fill_buffers(timing, working, entry);
  timing.ops.finish();
  const core::DeviceInfo& info = timing.judge.info();
  if (core::capabilities(info).native_code) device::flush_host_caches(info.l2_bytes);
  const auto timed = process.runner->go(call_seconds, runner::AfterAnswer::runs_on);
  if (!timed) return process.fail(timed.error().text);
  if (process.calls++ == 0) {
    process.result.measured->first_call = timed->judge_seconds;
    add_errors(timing, process, working, entry);
  }
  if (process.done() || process.calls <= warm_up_calls) return;
  process.result.measured->samples.push_back(timed->report.device_seconds);
  process.result.measured->wall_samples.push_back(timed->judge_seconds);
}

// Sets the number of calls in a batch, and shares buffers for all of them with the process.
void prepare_batches(Timing& timing, TorchProcess& process, Batch& batch) {
  auto& calls = process.result.batch_calls;
  if (calls == 0)
    calls = batch_size(batch_limits(core::clock_of(timing.judge.info())),
                       process.result.measured->samples.front(), timing.cost.request,
                       allocated_bytes(batch.set(0)), batch.set(0).all().size(),
                       timing.ops.free_bytes(), input_sets);
  batch.grow(calls);
  while (process.sets.size() < calls) {
    const auto bindings = share(*process.runner, timing.ops, batch.set(process.sets.size()));
    if (!bindings) return process.fail(bindings.error().text);
    process.sets.push_back(*bindings);
  }
}

// One batch of calls, timed as candidates in Python are.
void time_batch(Timing& timing, TorchProcess& process, Batch& batch,
                const std::vector<Entry*>& entries) {
  prepare_batches(timing, process, batch);
  if (process.done()) return;
  const std::size_t calls = process.result.batch_calls;
  // No `flush` by the worker, because that hides the host's time; the judge flushes the caches
  // below.
  const runner::PrepareRequest request{
      .plan = process.plan,
      .sets = {process.sets.begin(), process.sets.begin() + static_cast<std::ptrdiff_t>(calls)},
      .flush = false};
  if (const auto ready = process.runner->prepare(request, prepare_seconds); !ready)
    return process.fail(ready.error().text);
  if (const auto problem = process.runner->freeze()) return process.fail(problem->text);
  for (std::size_t i = 0; i < calls; ++i)
    fill_buffers(timing, batch.set(i), *entries[timing.judge.secrets().below(entries.size())]);
  timing.ops.finish();
  const core::DeviceInfo& info = timing.judge.info();
  if (!core::capabilities(info).device_clock)
    device::flush_host_caches(info.l2_bytes);
  else
    timing.flush.run();
  const auto timed = process.runner->go(call_seconds);
  if (!timed) return process.fail(timed.error().text);
  process.batches.push_back(
      (timed->judge_seconds - timing.cost.request) / static_cast<double>(calls) - timing.cost.copy);
}

void finish_process(Timing& timing, TorchProcess& process) {
  auto& result = *process.result.measured;
  process.result.batch_seconds = core::median({process.batches.begin() + 1, process.batches.end()});
  result.median = core::median(result.samples);
  result.interval = core::median_interval(result.samples);
  result.wall_median = core::median(result.wall_samples);
  // With TF32, products are compared with the ceiling of TF32.
  const core::Task& task = timing.judge.task();
  apply_work(process.result.class_name == "tf32" ? with_tf32_work(task) : task, timing.which,
             timing.judge.info(), timing.judge.options().ceilings, result);
  process.runner.reset();
}

bool any_left(const std::vector<TorchProcess>& processes) {
  return std::any_of(processes.begin(), processes.end(),
                     [](const TorchProcess& one) { return !one.done(); });
}

std::vector<BaselineResult> time_processes(Judge& judge, const core::Case& which,
                                           std::vector<TorchProcess>& processes) {
  Timing timing(judge, which);
  judge.truth().get_ready();
  judge.options().progress(fmt::format("case {}, torch in turn", which.name));
  const Lease lease(judge.info(), judge.options().progress);
  std::vector<core::ResolvedBuffer> buffers = timing.shapes.inputs;
  buffers.insert(buffers.end(), timing.shapes.outputs.begin(), timing.shapes.outputs.end());
  BufferSet working(timing.ops, buffers);
  Batch batch(timing.ops, working);
  for (auto& process : processes)
    if (!process.done()) bind_process(timing, process, working);
  const std::size_t count = Pool::entry_bytes(judge.task(), which) > large_entry ? 1 : input_sets;
  const auto entries = judge.inputs().pool(which).plain(count);
  core::ResolvedPlan plan;
  plan.buffers = buffers;
  if (core::capabilities(judge.info()).device_clock)
    timing.cost = judge.python_costs().measure(judge, which, plan, working);
  const auto start = Clock::now();
  for (std::size_t round = 0; any_left(processes); ++round)
    for (std::size_t i = 0; i < processes.size(); ++i) {
      auto& process =
          processes[(i + round) % processes.size()];  // another one is first in each round
      if (process.done()) continue;
      time_call(timing, process, working, *entries[round % entries.size()]);
      if (!process.done() && !process.has_batches() && process.calls > warm_up_calls)
        time_batch(timing, process, batch, entries);
      const double each = since(start) / static_cast<double>(processes.size());
      if (!process.done() && process.has_batches() &&
          enough(timing.rule, process.result.measured->samples, each))
        finish_process(timing, process);
    }
  std::vector<BaselineResult> results;
  for (auto& process : processes) results.push_back(std::move(process.result));
  return results;
}

}  // namespace

struct Baselines::Processes {
  const core::Task& task;
  const core::Case& which;
  core::DeviceInfo info;
  std::vector<TorchProcess> torch;
  std::unique_ptr<runner::Runner>
      reference;  // handed to the judge, which would start one otherwise
};

Baselines::Baselines(const core::Task& task, const core::Case& which, const core::DeviceInfo& info)
    : processes_(new Processes{task, which, info, {}, nullptr}) {
  if (!task.reference_py || task.function)
    base::fail(base::ExitCode::bad_input,
               "task {} has no torch module (reference.py in the form of KernelBench), so torch is "
               "no baseline for it{}",
               task.name,
               task.function ? ": judge its function like any candidate, with `hone eval`" : "");
  const auto python = runner::find_python();
  for (const auto& name : class_names)
    for (const char* mode : {"eager", "compile"}) {
      // A CPU has no TF32: the processes of one class serve all classes there.
      if (core::capabilities(info).native_code && name != class_names.front()) continue;
      if (!is_measured(name, mode)) continue;
      auto options = runner::python_options(info, true, {python, "baseline"});
      options.sandbox.memory_bytes = memory_bytes;
      options.sandbox.scratch_bytes = scratch_bytes;
      options.sandbox.processes *= 2;  // so that candidates that use up theirs do not stop it
      auto& process = processes_->torch.emplace_back();
      process.result.class_name = name;
      process.result.mode = mode;
      process.runner = std::make_unique<runner::Runner>(info, options);
    }
  processes_->reference = start_reference(info);
}

Baselines::~Baselines() = default;
Baselines::Baselines(Baselines&&) noexcept = default;

std::size_t Baselines::count() const { return processes_->torch.size() + 1; }

void Baselines::load_reference(double seconds) {
  try {
    if (judge::load_reference(*processes_->reference, processes_->task, seconds))
      processes_->reference.reset();
  } catch (const base::Error&) {
    processes_->reference.reset();  // the judge starts another one and reports what is wrong
  }
}

void Baselines::load(std::size_t index, double seconds) {
  if (index == processes_->torch.size()) return load_reference(seconds);
  auto& process = processes_->torch[index];
  const std::string image = base::json_line([&](base::Fields& f) {
    f("source", *processes_->task.reference_py)("mode", process.result.mode);
    f("precision", precision_of(process.result.class_name))("seed", Secrets(true).seed());
  });
  try {
    if (const auto loaded = process.runner->load(image, {}, seconds); !loaded)
      process.fail(loaded.error().text);
  } catch (const base::Error& error) {
    process.fail(error.what());
  }
}

std::uint64_t Baselines::load_bytes() const {
  // Several times the outputs for intermediate results, and a gibibyte for libraries and their
  // workspaces.
  constexpr std::uint64_t intermediate = 3, context = 1ull << 30;
  const TaskShapes shapes = task_shapes(processes_->task, processes_->which);
  std::uint64_t bytes = context;
  for (const auto& buffer : shapes.inputs) bytes += buffer.bytes;
  for (const auto& buffer : shapes.outputs) bytes += intermediate * buffer.bytes;
  return bytes;
}

std::vector<BaselineResult> Baselines::measure(Judge& judge) {
  if (processes_->reference) judge.truth().use(std::move(processes_->reference));
  judge.make_room(processes_->which);
  auto results = time_processes(judge, processes_->which, processes_->torch);
  if (std::none_of(results.begin(), results.end(),
                   [](const BaselineResult& one) { return one.measured.has_value(); }))
    base::fail(base::ExitCode::bad_input, "{}", results.front().missing);
  if (core::capabilities(judge.info()).device_clock) return results;
  const auto of_first_class = results;  // the same times stand for the other classes
  for (std::size_t i = 1; i < class_names.size(); ++i)
    for (auto one : of_first_class) {
      one.class_name = class_names[i];
      if (is_measured(one.class_name, one.mode)) results.push_back(std::move(one));
    }
  return results;
}

}  // namespace hone::judge
