#include "tables/scores.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/stats.h"
#include "text/classes.h"

namespace hone::tables {

void note_tried(const core::Evaluation& evaluation, Score& score) {
  score.tried = true;
  if (score.weak.empty()) score.weak = text::weak_of(evaluation);
}

void take(const core::Evaluation& evaluation, const std::string& candidate, Score& score) {
  const auto value = [&](const char* what) {
    return text::metric_value(evaluation, fmt::format("class.{}.{}", score.class_name, what));
  };
  note_tried(evaluation, score);
  if (evaluation.outcome != core::Outcome::accepted || !evaluation.geomean ||
      value("solved").value_or(0) <= 0)
    return;
  if (score.seconds && *score.seconds <= *evaluation.geomean) return;
  score.solved = true;
  score.seconds = evaluation.geomean;
  score.candidate = candidate;
  score.hash = evaluation.key.candidate;
  score.point = evaluation.key.point;
  score.python = text::metric_value(evaluation, "clock.python_calls").has_value();
  score.device = evaluation.key.device;
  score.ceiling_fraction = value("ceiling");
  score.precision = text::precision_used(evaluation);
  score.own_share = text::metric_value(evaluation, "share.own_kernels");
  score.error_rms = text::metric_value(evaluation, "class.error.rms");
  score.eager_rms = value("eager.rms");
}

std::optional<double> Score::speedup() const {
  if (!solved || !seconds || !baseline || *seconds <= 0) return std::nullopt;
  return *baseline / *seconds;
}

Summary summarise(const std::vector<Score>& scores, const std::string& class_name, bool with_weak) {
  Summary summary;
  std::vector<double> all, solved;
  for (const auto& score : scores) {
    if (score.class_name != class_name || (!with_weak && !score.weak.empty())) continue;
    if (score.solved) {
      ++summary.solved;
      summary.weak += score.weak.empty() ? 0 : 1;
    }
    const auto speedup = score.speedup();
    if (score.solved && !speedup) {
      ++summary.without_baseline;
      continue;
    }
    all.push_back(speedup.value_or(1));
    if (speedup) solved.push_back(*speedup);
  }
  summary.problems = all.size();
  if (all.empty()) return summary;
  const auto part = [&](double p) {
    return static_cast<double>(
               std::count_if(solved.begin(), solved.end(), [&](double one) { return one > p; })) /
           static_cast<double>(all.size());
  };
  summary.fast_1 = part(1);
  summary.fast_1_5 = part(1.5);
  summary.fast_2 = part(2);
  summary.geomean_all = core::geometric_mean(all);
  summary.median_all = core::median(all);
  if (!solved.empty()) {
    summary.geomean_solved = core::geometric_mean(solved);
    summary.median_solved = core::median(solved);
  }
  return summary;
}

}  // namespace hone::tables
