#include "judge/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "core/precision.h"
#include "core/stats.h"
#include "device/host_flush.h"
#include "judge/floors.h"
#include "judge/judge_case.h"
#include "judge/lease.h"
#include "judge/python/batch.h"
#include "judge/secrets.h"
#include "judge/truth_torch.h"
#include "runner/python.h"

namespace hone::judge {

using nlohmann::json;

const std::vector<std::string> class_names(core::precision_classes.begin(), core::precision_classes.end());

namespace {

constexpr double call_seconds = 60, prepare_seconds = 60;
constexpr int warm_calls = 2;                      // by each, not counted
constexpr std::size_t contents = 4;                // different inputs, used in turn
constexpr std::uint64_t large_entry = 4ull << 30;  // of which there is one
constexpr std::size_t rows = 5;                    // of calls, by each
constexpr std::uint64_t scratch_bytes = 4ull << 30, memory_bytes = 96ull << 30;

// As resources/python/problem.py names them.
std::string precision_of(const std::string& class_name) {
  return class_name == "fp32" ? "f32" : class_name == "tf32" ? "tf32" : "default";
}

// In the protocol's class everybody is held against eager.
bool counts(const std::string& class_name, const std::string& mode) {
  return class_name != "protocol" || mode == "eager";
}

struct Contender {
  BaselineResult result;
  std::unique_ptr<runner::Runner> runner;
  std::vector<device::BindingSet> sets;  // the first are the working buffers
  int plan = 0, calls = 0;
  std::vector<double> in_a_row;  // the first one warms up
  bool rows_done() const { return in_a_row.size() > rows; }
  bool done() const { return !runner; }
  void give_up(std::string why) {
    runner.reset();
    result.measured.reset();
    result.missing = std::move(why);
  }
};

class Contest {
 public:
  Contest(Judge& judge, const core::Case& which, std::vector<Contender>& contenders)
      : judge_(judge),
        which_(which),
        bench_(judge.bench()),
        shapes_(task_shapes(judge.task(), which)),
        rule_(judge.options().sampling ? *judge.options().sampling : rule_for(core::clock_of(judge.info()), false)),
        flush_(bench_, judge.info().l2_bytes),
        contenders_(contenders) {}

  std::vector<BaselineResult> run() {
    judge_.truth().get_ready();
    judge_.options().progress(fmt::format("case {}, torch in turn", which_.name));
    const Lease lease(judge_.info(), judge_.options().progress);
    std::vector<core::ResolvedBuffer> buffers = shapes_.inputs;
    buffers.insert(buffers.end(), shapes_.outputs.begin(), shapes_.outputs.end());
    BufferSet working(bench_, buffers);
    Batch batch(bench_, working);
    for (auto& one : contenders_)
      if (!one.done()) bind(one, working);
    const std::size_t count = Pool::entry_bytes(judge_.task(), which_) > large_entry ? 1 : contents;
    const auto entries = judge_.pool(which_).plain(count);
    core::ResolvedPlan plan;
    plan.buffers = buffers;
    if (!judge_.info().is_cpu) cost_ = judge_.python_cost(plan, working);
    const auto begin = Clock::now();
    for (std::size_t round = 0; any_left(); ++round) {
      for (std::size_t i = 0; i < contenders_.size(); ++i) {
        // Another one goes first in each round.
        auto& one = contenders_[(i + round) % contenders_.size()];
        if (one.done()) continue;
        call(one, working, *entries[round % entries.size()]);
        if (!one.done() && !one.rows_done() && one.calls > warm_calls) call_in_a_row(one, batch, entries);
        const double each = since(begin) / static_cast<double>(contenders_.size());
        if (!one.done() && one.rows_done() && enough(rule_, one.result.measured->samples, each)) finish(one);
      }
    }
    std::vector<BaselineResult> results;
    for (auto& one : contenders_) results.push_back(std::move(one.result));
    return results;
  }

 private:
  void bind(Contender& one, const BufferSet& working) {
    core::ResolvedPlan plan;
    plan.call = torch_call(judge_.task(), which_, precision_of(one.result.class_name));
    for (const auto& buffer : working.all()) {
      plan.buffers.push_back(buffer.shape);
    }
    const auto bindings = share(*one.runner, bench_, working);
    if (!bindings) return one.give_up(bindings.error().text);
    one.sets = {*bindings};
    const auto id = one.runner->plan(plan);
    if (!id) return one.give_up(id.error().text);
    one.plan = *id;
    one.result.measured.emplace();
    one.result.measured->name = which_.name;
    one.result.measured->timed = true;
  }

  void call(Contender& one, const BufferSet& working, const Entry& entry) {
    const runner::PrepareRequest request{one.plan, {one.sets.front()}, true, true, false, -1, {}, false};
    if (const auto ready = one.runner->prepare(request, prepare_seconds); !ready)
      return one.give_up(ready.error().text);
    const std::size_t inputs = shapes_.inputs.size();
    lay_out(working, entry);
    bench_.finish();
    if (judge_.info().is_cpu) device::flush_host_caches(judge_.info().l2_bytes);
    const auto timed = one.runner->go(call_seconds, false);
    if (!timed) return one.give_up(timed.error().text);
    auto& result = *one.result.measured;
    if (one.calls++ == 0) {
      for (std::size_t i = 0; i < shapes_.outputs.size(); ++i) {
        const auto distance = bench_.distance(working.all()[inputs + i].data, shapes_.outputs[i].dtype,
                                              entry.expected->all()[i].data, entry.scales[i], 1);
        if (distance.nonfinite > 0) return one.give_up("its results are not finite");
        result.error_max = std::max(result.error_max, distance.max);
        result.error_rms = std::max(result.error_rms, distance.rms);
      }
      result.first_call = timed->judge_seconds;
    }
    if (one.calls <= warm_calls) return;
    result.samples.push_back(timed->report.device_seconds);
    result.wall_samples.push_back(timed->judge_seconds);
  }

  void lay_out(const BufferSet& working, const Entry& entry) {
    for (std::size_t i = 0; i < working.all().size(); ++i) {
      const auto& buffer = working.all()[i];
      if (i < shapes_.inputs.size())
        bench_.copy(entry.inputs->all()[i].data, buffer.data);
      else
        bench_.poison(buffer.data, buffer.shape.dtype, judge_.secrets().seed());
    }
  }

  // As a candidate in Python is called and timed.
  void call_in_a_row(Contender& one, Batch& batch, const std::vector<Entry*>& entries) {
    const core::DeviceInfo& info = judge_.info();
    auto& count = one.result.calls;
    if (count == 0)
      count = batch_size(batch_limits(info.is_cpu), one.result.measured->samples.front(), cost_.word,
                         allocated_bytes(batch.set(0)), batch.set(0).all().size(), bench_.free_bytes(), contents);
    batch.grow(count);
    while (one.sets.size() < count) {
      const auto bindings = share(*one.runner, bench_, batch.set(one.sets.size()));
      if (!bindings) return one.give_up(bindings.error().text);
      one.sets.push_back(*bindings);
    }
    // Without `flush` nothing hides the host's time; the caches are driven out from here.
    const runner::PrepareRequest request{
        one.plan, {one.sets.begin(), one.sets.begin() + static_cast<std::ptrdiff_t>(count)}, true, false};
    if (const auto ready = one.runner->prepare(request, prepare_seconds); !ready)
      return one.give_up(ready.error().text);
    if (const auto problem = one.runner->freeze()) return one.give_up(problem->text);
    for (std::size_t i = 0; i < count; ++i) lay_out(batch.set(i), *entries[judge_.secrets().below(entries.size())]);
    bench_.finish();
    if (info.is_cpu)
      device::flush_host_caches(info.l2_bytes);
    else
      flush_.run();
    const auto timed = one.runner->go(call_seconds);
    if (!timed) return one.give_up(timed.error().text);
    one.in_a_row.push_back((timed->judge_seconds - cost_.word) / static_cast<double>(count) - cost_.copy);
  }

  void finish(Contender& one) {
    auto& result = *one.result.measured;
    one.result.in_a_row = core::median({one.in_a_row.begin() + 1, one.in_a_row.end()});
    result.median = core::median(result.samples);
    result.interval = core::median_interval(result.samples);
    result.wall_median = core::median(result.wall_samples);
    // In TF32 it is held against what the device reaches with that.
    const bool tf32 = one.result.class_name == "tf32";
    apply_work(tf32 ? with_tf32_work(judge_.task()) : judge_.task(), which_, judge_.info(), judge_.options().ceilings,
               result);
    one.runner.reset();
  }

  bool any_left() const {
    return std::any_of(contenders_.begin(), contenders_.end(), [](const Contender& one) { return !one.done(); });
  }

  Judge& judge_;
  const core::Case& which_;
  device::Workbench& bench_;
  TaskShapes shapes_;
  SamplingRule rule_;
  PythonCost cost_;
  CacheFlush flush_;
  std::vector<Contender>& contenders_;
};

}  // namespace

struct Baselines::Processes {
  const core::Task& task;
  const core::Case& which;
  core::DeviceInfo info;
  std::vector<Contender> contenders;
  std::unique_ptr<runner::Runner> reference;  // for the judge, who would start one of its own
};

Baselines::Baselines(const core::Task& task, const core::Case& which, const core::DeviceInfo& info)
    : processes_(new Processes{task, which, info, {}, nullptr}) {
  if (!task.reference_py)
    base::fail(base::ExitCode::bad_input, "task {} has no torch module (reference.py), so torch is no baseline for it",
               task.name);
  const auto python = runner::find_python();
  for (const auto& name : class_names)
    for (const char* mode : {"eager", "compile"}) {
      // A CPU has no TF32: one process serves all classes there.
      if (info.is_cpu && name != class_names.front()) continue;
      if (!counts(name, mode)) continue;
      auto options = runner::python_options(info, true, {python, "baseline"});
      options.sandbox.memory_bytes = memory_bytes;
      options.sandbox.scratch_bytes = scratch_bytes;
      options.sandbox.processes *= 2;  // whatever candidates use up
      auto& one = processes_->contenders.emplace_back();
      one.result.class_name = name;
      one.result.mode = mode;
      one.runner = std::make_unique<runner::Runner>(info, options);
    }
  processes_->reference = start_reference(info);
}

Baselines::~Baselines() = default;
Baselines::Baselines(Baselines&&) noexcept = default;

std::size_t Baselines::count() const { return processes_->contenders.size() + 1; }

void Baselines::load_reference(double seconds) {
  try {
    if (judge::load_reference(*processes_->reference, processes_->task, seconds)) processes_->reference.reset();
  } catch (const base::Error&) {
    processes_->reference.reset();  // the judge starts another, and says what is wrong
  }
}

void Baselines::load(std::size_t index, double seconds) {
  if (index == processes_->contenders.size()) return load_reference(seconds);
  auto& one = processes_->contenders[index];
  const std::string image = json{
      {"source", *processes_->task.reference_py},
      {"mode", one.result.mode},
      {"precision", precision_of(one.result.class_name)},
      {"seed",
       Secrets(true).seed()}}.dump();
  try {
    if (const auto loaded = one.runner->load(image, {}, seconds); !loaded) one.give_up(loaded.error().text);
  } catch (const base::Error& error) {
    one.give_up(error.what());
  }
}

std::uint64_t Baselines::load_bytes() const {
  constexpr std::uint64_t intermediate = 3, context = 1ull << 30;  // libraries and their workspaces
  const TaskShapes shapes = task_shapes(processes_->task, processes_->which);
  std::uint64_t bytes = context;
  for (const auto& buffer : shapes.inputs) bytes += buffer.bytes;
  for (const auto& buffer : shapes.outputs) bytes += intermediate * buffer.bytes;
  return bytes;
}

std::vector<BaselineResult> Baselines::measure(Judge& judge) {
  if (processes_->reference) judge.truth().use(std::move(processes_->reference));
  judge.make_room(processes_->which);
  auto results = Contest(judge, processes_->which, processes_->contenders).run();
  if (std::none_of(results.begin(), results.end(), [](const BaselineResult& one) { return one.measured.has_value(); }))
    base::fail(base::ExitCode::bad_input, "{}", results.front().missing);
  if (!judge.info().is_cpu) return results;
  const auto alike = results;
  for (std::size_t i = 1; i < class_names.size(); ++i)
    for (auto one : alike) {
      one.class_name = class_names[i];
      if (counts(one.class_name, one.mode)) results.push_back(std::move(one));
    }
  return results;
}

}  // namespace hone::judge
