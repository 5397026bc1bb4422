#include "judge/certify.h"

#include <fmt/format.h>

#include <map>

#include "judge/candidate_trial.h"

namespace hone::judge {
namespace {

constexpr int repeats =
    12;  // of one input: enough to meet a race that loses one time in four, with 97 %

CallOptions certifying_call(const Judge& judge) {
  CallOptions options = usual_call(judge);
  options.flush = false;
  return options;
}

// The guard `repeat`.
MaybeFinding check_repeats(CandidateTrial& trial, core::Evaluation& evaluation) {
  const std::string& name = trial.facts().case_name;
  std::map<std::uint64_t, int> histogram;
  CallOptions options = certifying_call(trial.parts().judge);
  options.fingerprint = true;
  for (int i = 0; i < repeats; ++i) {
    const auto called = trial.call(*trial.known().front(), options);
    if (called) {
      ++histogram[called->fingerprint];
      continue;
    }
    Finding finding = called.error();
    finding.text =
        fmt::format("call {} of {} with the same input: {}", i + 1, repeats, finding.text);
    if (finding.guard != Guard::tolerance && finding.guard != Guard::finite) return finding;
    return in_case(name, conviction(finding.outcome, Guard::repeat, finding.text));
  }
  add_metric(evaluation, "repeat.distinct", "1", static_cast<double>(histogram.size()), name);
  if (histogram.size() > 1)
    add(evaluation,
        in_case(
            name,
            label(Guard::repeat,
                  fmt::format("{} calls with the same input gave {} different results, all within "
                              "the tolerance: the order of its arithmetic is not fixed, or a race",
                              repeats, histogram.size()))));
  return std::nullopt;
}

// The guard `decoy`, for one case: which launches have an effect.
void find_effects(CandidateTrial& trial, std::map<int, bool>& has_effect) {
  CallOptions options = certifying_call(trial.parts().judge);
  for (const auto& launch : trial.parts().plan.launches) {
    if (has_effect[launch.plan_index]) continue;
    options.skip_launch = launch.plan_index;
    if (!trial.call(*trial.known().front(), options)) has_effect[launch.plan_index] = true;
  }
}

// A launch whose absence changes nothing on any case may be a decoy, or an honest fallback:
// labelled, not convicted.
void label_decoys(const core::Plan& plan, const std::map<int, bool>& has_effect,
                  core::Evaluation& evaluation) {
  for (const auto& [index, effect] : has_effect)
    if (!effect)
      add(evaluation,
          label(Guard::decoy,
                fmt::format("leaving out launch {} (kernel {}) changes no result: a decoy, or a "
                            "fallback for inputs that were not met",
                            index + 1, plan.launches[static_cast<std::size_t>(index)].kernel)));
}

}  // namespace

MaybeFinding certify(Judge& judge, Ready& ready, const std::vector<const core::Case*>& cases,
                     core::Evaluation& evaluation) {
  const GuardSet& guards = judge.options().guards;
  const bool has_decoys = guards.on(Guard::decoy) && ready.candidate.plan.launches.size() > 1;
  std::map<int, bool> has_effect;
  for (const core::Case* which : cases) {
    auto plan = fitted_plan(judge, ready, *which);
    if (!plan) continue;  // the evaluation has said so
    auto trial = make_trial(judge, ready, *which, *std::move(plan), 1);
    if (!trial) return trial.error();
    if (guards.on(Guard::repeat))
      if (auto problem = check_repeats(**trial, evaluation)) return problem;
    if (has_decoys) find_effects(**trial, has_effect);
  }
  if (has_decoys) label_decoys(ready.candidate.plan, has_effect, evaluation);
  return std::nullopt;
}

}  // namespace hone::judge
