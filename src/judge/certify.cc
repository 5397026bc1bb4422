#include "judge/certify.h"

#include <fmt/format.h>

#include <map>

#include "base/error.h"

namespace hone::judge {
namespace {

constexpr int repeats = 12;  // of one input: enough to meet a race that loses one time in four, with 97 %

// A case bound once more, for calls that are not timed.
struct Trial {
  core::ResolvedPlan plan;
  BufferSet working;
  Caller caller;
  Bound bound;

  Trial(Judge& judge, const core::Case& which, core::ResolvedPlan resolved)
      : plan(std::move(resolved)),
        working(judge.bench(), plan.buffers),
        caller(judge.task(), which, judge.bench(), working, judge.secrets(), judge.options().guards, judge.info()) {}
};

bool repeat(Judge& judge, Trial& trial, const core::Case& which, core::Evaluation& evaluation) {
  const Entry& entry = *judge.pool(which).plain(1).front();
  std::map<std::uint64_t, int> histogram;
  CallOptions options{false, false, -1, judge.options().call_seconds};
  options.print = true;
  for (int i = 0; i < repeats; ++i) {
    const auto called = trial.caller.call(trial.bound, entry, options);
    if (!called) {
      auto evidence = called.error().evidence;
      evidence.text = fmt::format("call {} of {} with the same input: {}", i + 1, repeats, evidence.text);
      if (evidence.guard == "tolerance" || evidence.guard == "finite") {
        evidence.guard = "repeat";
        evidence.row = 34;
      }
      convict(evaluation, called.error().outcome, evidence);
      return false;
    }
    ++histogram[called->fingerprint];
  }
  evaluation.metrics.push_back({"repeat.distinct", "1", static_cast<double>(histogram.size()), "", which.name, {}, {}});
  if (histogram.size() > 1)
    label(evaluation, "repeat", 34, which.name,
          fmt::format("{} calls with the same input gave {} different results, all within the tolerance: the order of "
                      "its arithmetic is not fixed, or a race",
                      repeats, histogram.size()));
  return true;
}

// A launch whose absence changes nothing on any case may be a decoy, or an honest fallback: labelled, not convicted.
void find_decoys(Judge& judge, Ready& ready, Trial& trial, const core::Case& which, std::map<int, bool>& has_effect) {
  const Entry& entry = *judge.pool(which).plain(1).front();
  for (const auto& launch : trial.plan.launches) {
    if (has_effect[launch.plan_index] || ready.candidate.plan.launches.size() < 2) continue;
    const auto called =
        trial.caller.call(trial.bound, entry, {false, false, launch.plan_index, judge.options().call_seconds});
    if (!called) has_effect[launch.plan_index] = true;
  }
}

}  // namespace

void certify(Judge& judge, Ready& ready, const std::vector<const core::Case*>& cases, core::Evaluation& evaluation) {
  const GuardSet& guards = judge.options().guards;
  std::map<int, bool> has_effect;
  for (const core::Case* which : cases) {
    auto plan = judge.fitted_plan(ready, *which);
    if (!plan) continue;  // has been said
    Trial trial(judge, *which, *std::move(plan));
    const auto bind = [&] {
      auto bound = judge.bind(ready, trial.plan, trial.working);
      if (bound)
        trial.bound = *bound;
      else
        convict(evaluation, bound.error().outcome, bound.error().evidence);
      return bound.ok();
    };
    if (!bind()) return;
    if (guards.on(Guard::repeat) && !repeat(judge, trial, *which, evaluation)) return;
    if (!guards.on(Guard::decoy)) continue;
    find_decoys(judge, ready, trial, *which, has_effect);
  }
  if (guards.on(Guard::decoy) && ready.candidate.plan.launches.size() > 1)
    for (const auto& [index, effect] : has_effect)
      if (!effect)
        label(evaluation, "decoy", 38, "",
              fmt::format("leaving out launch {} (kernel {}) changes no result: a decoy, or a fallback for inputs that "
                          "were not met",
                          index + 1, ready.candidate.plan.launches[static_cast<std::size_t>(index)].kernel));
}

}  // namespace hone::judge
