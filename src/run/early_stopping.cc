#include "run/early_stopping.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/stats.h"
#include "judge/finding.h"

namespace hone::run {
namespace {

// After one or two samples only a time that is far off stops a point; later, one outside the noise
// between neighbours.
constexpr std::size_t first_samples = 2;
// Ratios to the best point's time. On a CPU that other programs use too, the same kernel's samples
// differ by half.
struct StopRatios {
  double first, later;
};
constexpr StopRatios gpu_ratios{2.0, 1.2}, cpu_ratios{2.5, 1.5};
// A case that has not been timed yet may still take half the best point's time.
constexpr double ratio_of_untimed_case = 0.5;

}  // namespace

bool EarlyStopping::should_stop(const core::CaseResult& latest) {
  const auto best = best_.find(latest.name);
  if (best == best_.end() || latest.samples.empty()) return false;
  // The fastest sample, not the median: noise only makes samples longer, and there are few samples
  // yet.
  const double fastest = *std::min_element(latest.samples.begin(), latest.samples.end());
  log_ratios_[latest.name] = std::log(fastest / best->second);
  double sum = 0;
  for (const auto& [name, log_ratio] : log_ratios_) sum += log_ratio;
  sum += static_cast<double>(best_.size() - log_ratios_.size()) * std::log(ratio_of_untimed_case);
  const StopRatios& ratios = clock_ == core::ClockKind::judge ? cpu_ratios : gpu_ratios;
  const double ratio = latest.samples.size() <= first_samples ? ratios.first : ratios.later;
  return sum / static_cast<double>(best_.size()) > std::log(ratio);
}

std::map<std::string, double> medians_of(const core::Evaluation& evaluation) {
  std::map<std::string, double> medians;
  for (const auto& result : evaluation.cases)
    if (result.timed && result.median > 0) medians[result.name] = result.median;
  return medians;
}

search::PointResult for_strategy(const core::Evaluation& evaluation, std::size_t timed_cases) {
  search::PointResult told{evaluation.key.point, evaluation.outcome, evaluation.geomean};
  if (told.seconds || !judge::was_stopped_early(evaluation)) return told;
  std::vector<double> medians;
  for (const auto& [name, median] : medians_of(evaluation)) medians.push_back(median);
  if (medians.size() == timed_cases && timed_cases > 0)
    told.seconds = core::geometric_mean(medians);
  return told;
}

}  // namespace hone::run
