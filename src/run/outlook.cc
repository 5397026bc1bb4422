#include "run/outlook.h"

#include <algorithm>
#include <cmath>

#include "core/stats.h"
#include "judge/finding.h"

namespace hone::run {
namespace {

// With one or two samples only what is far off is given up; later, what lies outside any noise between neighbours.
constexpr std::size_t first_looks = 2;
// On a CPU that others use too, the same kernel's samples differ by half.
struct Limits {
  double far_off, off;
};
constexpr Limits gpu_limits{2.0, 1.2}, cpu_limits{2.5, 1.5};
// What a point may still gain on each case that has not been timed: half the best point's time.
constexpr double hoped_for = 0.5;

}  // namespace

bool Outlook::hopeless(const core::CaseResult& latest) {
  const auto best = best_.find(latest.name);
  if (best == best_.end() || latest.samples.empty()) return false;
  // The fastest sample, not the median: noise only makes samples longer, and this judges before there are many.
  const double fastest = *std::min_element(latest.samples.begin(), latest.samples.end());
  log_ratios_[latest.name] = std::log(fastest / best->second);
  double sum = 0;
  for (const auto& [name, log_ratio] : log_ratios_) sum += log_ratio;
  sum += static_cast<double>(best_.size() - log_ratios_.size()) * std::log(hoped_for);
  const Limits& limits = clock_ == core::ClockKind::host ? cpu_limits : gpu_limits;
  const double limit = latest.samples.size() <= first_looks ? limits.far_off : limits.off;
  return sum / static_cast<double>(best_.size()) > std::log(limit);
}

std::map<std::string, double> medians_of(const core::Evaluation& evaluation) {
  std::map<std::string, double> medians;
  for (const auto& result : evaluation.cases)
    if (result.timed && result.median > 0) medians[result.name] = result.median;
  return medians;
}

search::PointResult told_from(const core::Evaluation& evaluation, std::size_t timed_cases) {
  search::PointResult told{evaluation.key.point, evaluation.outcome, evaluation.geomean};
  if (told.seconds || !judge::was_stopped_early(evaluation)) return told;
  std::vector<double> medians;
  for (const auto& [name, median] : medians_of(evaluation)) medians.push_back(median);
  if (medians.size() == timed_cases && timed_cases > 0) told.seconds = core::geometric_mean(medians);
  return told;
}

}  // namespace hone::run
