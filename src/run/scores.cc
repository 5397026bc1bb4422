#include "run/scores.h"

#include <algorithm>

#include "core/stats.h"

namespace hone::run {

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
    return static_cast<double>(std::count_if(solved.begin(), solved.end(), [&](double one) { return one > p; })) /
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

}  // namespace hone::run
