#include "judge/doubt.h"

#include <fmt/format.h>

#include <algorithm>

namespace hone::judge {

Finding unless_busy(Finding finding, const runner::Contention& contention) {
  if (!needs_the_clock(finding.guard) || !runner::is_busy(contention)) return finding;
  finding.outcome = core::Outcome::undecided;
  finding.text = fmt::format(
      "other programs used this machine ({:.0f} % of the calls' time was spent waiting for them), "
      "so its times prove nothing for or against it. Try again when the machine is idle. What the "
      "times seemed to say: {}",
      100 * runner::outside_share(contention), finding.text);
  return finding;
}

void doubt(Sampled& sampled, const runner::Contention& contention) {
  if (sampled.finding) {
    sampled.finding = unless_busy(*std::move(sampled.finding), contention);
    return;
  }
  auto& labels = sampled.timing.labels;
  const auto doubtful = std::find_if(labels.begin(), labels.end(), [&](const Finding& one) {
    return unless_busy(one, contention).decides();
  });
  if (doubtful == labels.end()) return;
  sampled.finding = unless_busy(*doubtful, contention);
  std::erase_if(labels, [](const Finding& one) { return needs_the_clock(one.guard); });
}

core::Evaluation evaluate_twice_if_undecided(Judge& judge, const core::Candidate& candidate,
                                             EvaluateOptions options) {
  auto evaluation = judge.evaluate(candidate, options);
  const bool by_clock =
      std::any_of(evaluation.evidence.begin(), evaluation.evidence.end(), [](const auto& one) {
        return one.convicts && !one.guard.empty() && needs_the_clock(guard_named(one.guard));
      });
  if (evaluation.outcome != core::Outcome::undecided || !by_clock) return evaluation;
  judge.options().progress("undecided, because other programs use this machine: judged once more");
  options.ahead = nullptr;       // the first process has taken it
  judge.inputs().release_all();  // it could have left answers to the second
  return judge.evaluate(candidate, options);
}

}  // namespace hone::judge
