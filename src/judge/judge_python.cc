// From a candidate in Python to a runner that has it loaded.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "judge/judge.h"
#include "judge/judge_case.h"
#include "judge/lease.h"
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

namespace {

bool mentions_output(const json& value) {
  if (value.is_object() && value.contains("output")) return true;
  return value.is_structured() && std::any_of(value.begin(), value.end(), mentions_output);
}

}  // namespace

bool hands_over_outputs(const core::Task& task) {
  const json interface = json::parse(task.interface.value_or("{}"));
  const json buffers = interface.value("buffers", json::object());
  const auto has_place = [](const json& buffer) {
    return buffer.is_object() && buffer.value("of", json()).is_string();
  };
  if (std::any_of(buffers.begin(), buffers.end(), has_place)) return true;
  const json cases = interface.value("cases", json::object());
  return mentions_output(interface.value("arguments", json::array())) || mentions_output(cases);
}

const runner::Python& Judge::own_python() const {
  if (!python_) python_ = runner::find_python();
  return *python_;
}

std::optional<Ready> Judge::load_python(Ready ready, const base::Fd* ahead, Evaluation& evaluation,
                                        const std::function<std::unique_ptr<runner::Runner>()>& runner_for) {
  learn_python_costs();
  ready.runner = runner_for();
  const auto start = Clock::now();
  const auto loaded = ready.runner->load(python_image(task_, ready.candidate), {}, options_.build_seconds, ahead);
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

// ---- what calls cost

// A worker that runs no candidate, on the same buffers: message, waking up and mapping are in its calls as in a
// candidate's.
PythonCost Judge::python_cost(core::ResolvedPlan plan, const BufferSet& working) {
  const auto need = [](const auto& result) -> const auto& {
    if (!result)
      base::fail(base::ExitCode::environment, "a worker in Python that does nothing failed: {}", result.error().text);
    return *result;
  };
  if (!idle_python_) {
    auto options = own_runner_options(true);
    options.python->role = "idle";
    idle_python_ = std::make_unique<runner::Runner>(info_, options);
    need(idle_python_->load("{}", {}, options_.build_seconds));
  }
  need(idle_python_->drop());
  const device::BindingSet bindings = need(share(*idle_python_, *bench_, working));
  PythonCost cost;
  const auto seconds_for = [&](int calls) {
    constexpr int warm_up = 2, times = 9;
    plan.call = json{{"calls", calls}}.dump();
    const int id = need(idle_python_->plan(plan));
    std::vector<double> seconds, settled;
    for (int i = -warm_up; i < times; ++i) {
      need(idle_python_->prepare({id, {bindings}}, options_.build_seconds));
      if (const auto problem = idle_python_->freeze())
        base::fail(base::ExitCode::environment, "a worker in Python that does nothing failed: {}", problem->text);
      const auto timed = need(idle_python_->go(options_.call_seconds));
      if (i >= 0) seconds.push_back(timed.judge_seconds);
      if (calls > 0 || i < 0) continue;
      cost.copy = timed.report.device_seconds;
      if (!info_.is_cpu) settled.push_back(settle_seconds(*bench_, working.all().back().data));
    }
    if (!settled.empty()) cost.settle = core::median(settled);
    return core::median(seconds);
  };
  constexpr int many = 8;
  cost.word = seconds_for(0);
  cost.gap = std::max(0.0, seconds_for(1) - cost.word - (seconds_for(many) - cost.word) / many);
  need(idle_python_->drop());
  if (hands_over_outputs(task_)) cost.copy = 0;
  return cost;
}

void Judge::learn_python_costs() {
  if (info_.is_cpu || !options_.guards.on(Guard::judge_clock)) return;
  for (const core::Case& which : task_.cases) {
    if (!which.timed || python_costs_.contains(which.name)) continue;
    const auto shapes = task_shapes(task_, which);
    core::ResolvedPlan plan;
    plan.buffers = shapes.inputs;
    plan.buffers.insert(plan.buffers.end(), shapes.outputs.begin(), shapes.outputs.end());
    if (BufferSet::footprint(plan.buffers) > bench_->free_bytes()) continue;
    const Lease lease(info_, options_.progress);
    const BufferSet working(*bench_, plan.buffers);
    python_costs_[which.name] = python_cost(plan, working);
  }
}

const PythonCost& Judge::known_python_cost(const core::Case& which, const core::ResolvedPlan& plan,
                                           const BufferSet& working) {
  const auto known = python_costs_.find(which.name);
  if (known != python_costs_.end()) return known->second;
  return python_costs_[which.name] = python_cost(plan, working);
}

bool is_library_kernel(std::string_view name) {
  if (name.starts_with("kernel_cutlass_")) return false;  // what CuTe DSL calls those that are written in it
  constexpr std::string_view known[] = {
      "at::",        "at_cuda", "cublas", "cudnn",    "cutlass",     "nvjet",       "xmma",
      "splitK",      "gemvx",   "gemv2",  "ampere_",  "volta_",      "implicit_",   "winograd",
      "flash_",      "fmha",    "cub::",  "thrust::", "triton_poi_", "triton_per_", "triton_red_",
      "triton_tem_", "nchwTo",  "nhwcTo", "Memcpy",   "Memset",      "dot_kernel",  "reduce_1Block"};
  return std::any_of(std::begin(known), std::end(known),
                     [&](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

namespace {

// The seconds in which any of them was running.
double busy_seconds(std::vector<device::Activity> activities) {
  std::sort(activities.begin(), activities.end(), [](const auto& a, const auto& b) { return a.start < b.start; });
  double busy = 0, until = 0;
  for (const auto& one : activities) {
    busy += std::max(0.0, one.end - std::max(one.start, until));
    until = std::max(until, one.end);
  }
  return busy;
}

}  // namespace

bool Judge::note_own_kernels(CaseRun& run, CaseResult& result, Evaluation& evaluation) {
  constexpr double worth_saying = 0.5;
  const auto missing = [&](const std::string& why) {
    evaluation.metrics.push_back({"share.own_kernels", "1", std::nullopt, why, run.which.name, {}, {}});
    return true;
  };
  CallOptions options{true, false, -1, std::max(options_.call_seconds, options_.build_seconds)};
  options.record = true;
  const auto called = run.caller.call(run.bound, *run.entries.front(), options);
  if (!called && called.error().outcome == Outcome::cheating)
    return convict(evaluation, called.error().outcome, called.error().evidence), false;
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
  const double busy = busy_seconds(*activities);
  evaluation.metrics.push_back({"clock.python_device", "s", busy, "", run.which.name, {}, {}});
  const std::string why = options_.guards.on(Guard::overlap) ? overlap_in_record(result.median, busy) : "";
  if (why.empty()) return true;
  label(evaluation, "overlap", 11, run.which.name, why);
  result.samples = {busy};
  result.median = busy;
  result.interval = {busy, busy};
  return true;
}

}  // namespace hone::judge
