// From a plan with library operations to a runner that has it loaded, and whose time it was in the end.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "judge/judge.h"
#include "judge/judge_case.h"
#include "judge/library.h"

namespace hone::judge {

using core::Evaluation;
using nlohmann::json;

std::string no_library_here(const core::Plan& plan, const core::DeviceInfo& info) {
  if (!core::has_operations(plan) || info.language == core::Language::cuda) return "";
  if (!info.is_cpu) return fmt::format("library operations run on CUDA and on CPUs, and {} is neither", info.id);
  if (core::kernel_names(plan).empty()) return "";
  return fmt::format(
      "the plan has library operations and kernels ({}): on a CPU they run in different processes, so only plans of "
      "operations alone can be judged there; with both, choose a CUDA device",
      core::kernel_names(plan).front());
}

std::string library_image(const core::Plan& plan, const std::string& kernels) {
  json operations = json::array();
  for (const auto& launch : plan.launches) {
    if (!launch.is_operation) continue;
    json words = json::array();
    for (const auto& [name, arg] : launch.words) words.push_back(name);
    operations.push_back({launch.kernel, launch.args.size(), words, launch.out.size()});
  }
  return operations.dump() + "\n" + kernels;
}

std::optional<Ready> Judge::make_ready_with_library(const core::Candidate& candidate, const EvaluateOptions& options,
                                                    Evaluation& evaluation) {
  if (!no_library_here(candidate.plan, info_).empty()) return load(candidate, options, evaluation, {});
  auto worker = runner::python_options(info_, options_.unsafe, {own_python(), "library"});
  worker.freeze = runner::runner_options(info_, options_.unsafe).freeze;  // none of its host code is the candidate's
  auto runner = std::make_unique<runner::Runner>(info_, worker);
  return load(candidate, options, evaluation, [&] { return std::move(runner); });
}

// One more call, not timed, in which every launch is: how much of the device's time goes to kernels of the candidate's.
void Judge::note_own_share(CaseRun& run, Evaluation& evaluation) {
  CallOptions recorded{true, false, -1, options_.call_seconds};
  recorded.record = true;
  const auto called = run.caller.call(run.bound, *run.entries.front(), recorded);
  if (!called) return;  // verdicts are for calls as all others are
  const auto activities = run.bound.runner->activities();
  if (!activities) return;
  double own = 0, all = 0;
  for (const auto& one : *activities) {
    const double seconds = std::max(0.0, one.end - one.start);
    all += seconds;
    const bool library =
        one.launch >= 0 && std::any_of(run.plan.launches.begin(), run.plan.launches.end(), [&](const auto& launch) {
          return launch.plan_index == one.launch && launch.is_operation;
        });
    if (!library) own += seconds;
  }
  if (all > 0) evaluation.metrics.push_back({"share.own_kernels", "1", own / all, "", run.which.name, {}, {}});
  note_named_precisions(run, *activities, evaluation);
}

}  // namespace hone::judge
