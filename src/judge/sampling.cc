#include "judge/sampling.h"

#include <cstdlib>
#include <string_view>

namespace hone::judge {

bool quick_in_all() {
  static const char* quick = std::getenv("HONE_QUICK");
  return quick != nullptr && std::string_view(quick) == "all";
}

SamplingRule rule_for(core::ClockKind clock, bool certify) {
  const bool by_judge = clock == core::ClockKind::judge;
  static const bool quick = std::getenv("HONE_QUICK") != nullptr;
  if (quick && !certify) return by_judge ? SamplingRule{7, 10, 0.25, 0.1} : quick_rule;
  if (by_judge && certify && quick_in_all()) return {7, 15, 0.1, 0.5};
  if (by_judge) return certify ? SamplingRule{15, 60, 0.02, 8} : SamplingRule{7, 25, 0.05, 0.8};
  return certify ? SamplingRule{60, 2000, 0.003, 2} : SamplingRule{20, 600, 0.005, 0.5};
}

bool enough(const SamplingRule& rule, const std::vector<double>& samples, double elapsed,
            bool keep_minimum) {
  if (samples.size() >= rule.most) return true;
  if (samples.size() < rule.fewest)
    return !keep_minimum && elapsed >= rule.seconds && !samples.empty();
  if (elapsed >= rule.seconds) return true;
  const auto interval = core::median_interval(samples);
  return interval.high - interval.low <= rule.width * core::median(samples);
}

bool depends_on_values(core::ClockKind clock, double fastest, double slowest) {
  return slowest > (clock == core::ClockKind::judge ? 2.0 : 1.3) * fastest;
}

}  // namespace hone::judge
