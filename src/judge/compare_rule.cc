#include "judge/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "judge/sampling.h"

namespace hone::judge {

CompareRule compare_rule(core::ClockKind clock) {
  const bool by_host = clock == core::ClockKind::host;
  if (by_host && quick_in_all()) return {0.03, 0, 0.5, 5, 8, 1, 2};
  if (by_host) return {0.03, 0, 0.5, 5, 40, 1, 20};
  return {};
}

std::string describe(const CompareRule& rule) {
  return fmt::format(
      "ABBA blocks of {} calls until the 99 % interval on the ratio is within ±{:.2g} % of its middle, at least {} and "
      "at most {} blocks or {:.3g} s; same means all of it within ±{:.2g} %{}",
      4 * rule.calls_per_letter, 100 * rule.margin * rule.sharpness, rule.fewest_blocks, rule.most_blocks, rule.seconds,
      100 * rule.margin, rule.resolution > 0 ? fmt::format(" or ±{:.2g} µs", 1e6 * rule.resolution) : "");
}

RatioEstimate estimate(const std::vector<std::vector<double>>& log_ratios_by_case) {
  // The mean over cases of each case's mean: a geometric mean of ratios. Cases are independent, so their variances add.
  RatioEstimate total;
  double variance = 0;
  const auto cases = static_cast<double>(log_ratios_by_case.size());
  std::int64_t degrees = 0;
  for (const auto& ratios : log_ratios_by_case) {
    const auto n = static_cast<double>(ratios.size());
    const double mean = std::accumulate(ratios.begin(), ratios.end(), 0.0) / n;
    double squares = 0;
    for (const double r : ratios) squares += (r - mean) * (r - mean);
    total.log_ratio += mean / cases;
    variance += squares / (n - 1) / n / (cases * cases);
    degrees += static_cast<std::int64_t>(ratios.size()) - 1;
  }
  total.half_width = core::student_t_995(degrees) * std::sqrt(variance);
  return total;
}

double margin_for(const CompareRule& rule, double seconds) {
  return seconds > 0 ? std::max(rule.margin, rule.resolution / seconds) : rule.margin;
}

bool comparison_done(const CompareRule& rule, const RatioEstimate& now, int blocks, double elapsed) {
  if (blocks < rule.fewest_blocks) return false;
  return blocks >= rule.most_blocks || elapsed >= rule.seconds || now.half_width <= rule.margin * rule.sharpness;
}

}  // namespace hone::judge
