// From a candidate in Python to a runner that has it loaded.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "judge/judge.h"
#include "judge/judge_case.h"
#include "judge/python_candidate.h"

namespace hone::judge {

using core::CaseResult;
using core::Evaluation;
using core::Outcome;
using nlohmann::json;

std::string no_python_here(const core::Task& task) {
  if (task.interface) return "";
  return fmt::format(
      "task {} takes no candidates in Python: its folder has no interface.json, which says how they are called",
      task.name);
}

std::string python_image(const core::Task& task, const core::Candidate& candidate) {
  return json{{"source", candidate.source}, {"name", candidate.name}, {"interface", json::parse(*task.interface)}}
      .dump();
}

std::string idle_image(const core::Task& task) {
  return json{{"idle", true}, {"name", "idle.py"}, {"source", ""}, {"interface", json::parse(*task.interface)}}.dump();
}

std::string python_call(const core::Task& task, const core::Case& which, bool lenient) {
  json scalars = which.bindings;  // integers inside nested inputs are symbols of the case
  for (const auto& scalar : task.scalars) {
    if (!scalar.expression) {
      scalars[scalar.name] = scalar.value;
    } else if (const auto value = scalar.expression->evaluate(which.bindings)) {
      scalars[scalar.name] = *value;
    }
  }
  return json{{"case", which.name}, {"scalars", scalars}, {"lenient", lenient}}.dump();
}

const runner::Python& Judge::own_python() const {
  if (!python_) python_ = runner::find_python();
  return *python_;
}

std::optional<Ready> Judge::load_python(Ready ready, Evaluation& evaluation,
                                        const std::function<std::unique_ptr<runner::Runner>()>& runner_for) {
  ready.runner = runner_for();
  const auto start = Clock::now();
  const auto loaded = ready.runner->load(python_image(task_, ready.candidate), {}, options_.build_seconds);
  evaluation.seconds_build += since(start);
  if (!loaded) {
    const bool raised = loaded.error().outcome == Outcome::launch_failed;
    convict(evaluation, raised ? Outcome::build_failed : loaded.error().outcome,
            {raised ? "" : "limits", raised ? 0 : 40, true, "", loaded.error().text});
    return std::nullopt;
  }
  for (const auto& note : ready.runner->notes()) label(evaluation, "", 0, "", note);
  return ready;
}

// ---- the clock, on a GPU (on a CPU the judge's own decides, as for all native code)

// A worker of our own kind that calls nothing, on the same buffers: message, waking up, mapping of results and their
// copy are in its calls as in the candidate's.
base::Result<double, CallFailure> Judge::python_overhead(CaseRun& run) {
  const auto fault = [&](const runner::Fault& f) {
    return base::Failure{
        CallFailure{f.outcome, {"", 0, true, run.which.name, "a worker that does nothing: " + f.text}}};
  };
  if (!idle_python_) {
    idle_python_ = take_runner(true);
    if (const auto loaded = idle_python_->load(idle_image(task_), {}, options_.build_seconds); !loaded)
      return fault(loaded.error());
  }
  if (const auto dropped = idle_python_->drop(); !dropped) return fault(dropped.error());
  const auto plan = idle_python_->plan(run.plan);
  if (!plan) return fault(plan.error());
  device::BindingSet bindings;
  for (const auto& buffer : run.working.all()) {
    const auto block = idle_python_->share(bench_->export_block(buffer.block.id), buffer.block.bytes);
    if (!block) return fault(block.error());
    bindings.push_back({*block, buffer.data.offset});
  }
  constexpr int warm_up = 3, calls = 15;
  std::vector<double> beside;
  for (int i = -warm_up; i < calls; ++i) {
    if (const auto prepared = idle_python_->prepare({*plan, {bindings}}, options_.call_seconds); !prepared)
      return fault(prepared.error());
    if (const auto problem = idle_python_->freeze()) return fault(*problem);
    const auto timed = idle_python_->go(options_.call_seconds);
    if (!timed) return fault(timed.error());
    if (i >= 0) beside.push_back(timed->judge_seconds - timed->report.device_seconds);
  }
  if (const auto dropped = idle_python_->drop(); !dropped) return fault(dropped.error());
  return core::median(beside);
}

bool is_library_kernel(std::string_view name) {
  constexpr std::string_view known[] = {
      "at::",        "at_cuda", "cublas", "cudnn",    "cutlass",     "nvjet",       "xmma",
      "splitK",      "gemvx",   "gemv2",  "ampere_",  "volta_",      "implicit_",   "winograd",
      "flash_",      "fmha",    "cub::",  "thrust::", "triton_poi_", "triton_per_", "triton_red_",
      "triton_tem_", "nchwTo",  "nhwcTo", "Memcpy",   "Memset",      "dot_kernel",  "reduce_1Block"};
  return std::any_of(std::begin(known), std::end(known),
                     [&](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

void Judge::note_own_kernels(CaseRun& run, Evaluation& evaluation) {
  constexpr double worth_saying = 0.5;
  const auto missing = [&](const std::string& why) {
    evaluation.metrics.push_back({"share.own_kernels", "1", std::nullopt, why, run.which.name, {}, {}});
  };
  CallOptions options{false, false, -1, std::max(options_.call_seconds, options_.build_seconds)};
  options.record = true;
  const auto called = run.caller.call(run.bound, *run.entries.front(), options);
  if (!called) return missing(called.error().evidence.text);
  const auto activities = run.bound.runner->activities();
  if (!activities) return missing(activities.error().text);
  double own = 0, all = 0;
  std::string foreign;
  for (const auto& one : *activities) {
    const double seconds = std::max(0.0, one.end - one.start);
    all += seconds;
    if (!is_library_kernel(one.name))
      own += seconds;
    else if (foreign.find(one.name.substr(0, 48)) == std::string::npos && foreign.size() < 240)
      foreign += (foreign.empty() ? "" : ", ") + one.name.substr(0, 48);
  }
  if (!(all > 0)) return missing("the recorded call shows no kernel");
  evaluation.metrics.push_back({"share.own_kernels", "1", own / all, "", run.which.name, {}, {}});
  note_named_precisions(run, *activities, evaluation);
  if (own < worth_saying * all)
    label(
        evaluation, "", 37, run.which.name,
        fmt::format("{:.0f} % of the device's time lies in kernels of libraries: {}", 100 * (1 - own / all), foreign));
}

double Judge::seconds_of(const CaseRun& run, const runner::Timed& timed) const {
  if (!options_.guards.on("judge-clock")) return timed.report.device_seconds;
  if (info_.is_cpu) return timed.judge_seconds;
  if (!run.bound.hostile) return timed.report.device_seconds;
  return std::max(timed.report.device_seconds, timed.judge_seconds - run.overhead);
}

void Judge::settle_python_clock(CaseRun& run, CaseResult& result, const std::vector<double>& by_events,
                                Evaluation& evaluation) {
  // What waking up and copying take differs a little from call to call; medians differ less.
  constexpr double agreement = 0.1, allowance = 2e-5;
  const double events = core::median(by_events), judge = core::median(result.wall_samples) - run.overhead;
  evaluation.metrics.push_back({"clock.python_events", "s", events, "", run.which.name, {}, {}});
  evaluation.metrics.push_back({"clock.python_judge", "s", judge, "", run.which.name, {}, {}});
  evaluation.metrics.push_back({"clock.python_overhead", "s", run.overhead, "", run.which.name, {}, {}});
  if (events >= (1 - agreement) * judge - allowance) {
    result.samples = by_events;
    return;
  }
  label(
      evaluation, "judge-clock", 19, run.which.name,
      fmt::format("the events of its process say {:.4g} s, the judge's clock {:.4g} s without the {:.3g} s that a call "
                  "costs by itself: more than {:.0f} % and {:.0f} µs apart, so the judge's clock counts",
                  events, judge, run.overhead, 100 * agreement, 1e6 * allowance));
}

}  // namespace hone::judge
