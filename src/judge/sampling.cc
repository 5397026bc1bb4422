#include "judge/sampling.h"

#include <cstdlib>
#include <string_view>

namespace hone::judge {

bool quick_in_all() {
  static const char* quick = std::getenv("HONE_QUICK");
  return quick != nullptr && std::string_view(quick) == "all";
}

SamplingRule rule_for(bool is_cpu, bool certify) {
  static const bool quick = std::getenv("HONE_QUICK") != nullptr;
  if (quick && !certify) return is_cpu ? SamplingRule{7, 10, 0.25, 0.1} : quick_rule;
  if (is_cpu && certify && quick_in_all()) return {7, 15, 0.1, 0.5};
  if (is_cpu) return certify ? SamplingRule{15, 60, 0.02, 8} : SamplingRule{7, 25, 0.05, 0.8};
  return certify ? SamplingRule{60, 2000, 0.003, 2} : SamplingRule{20, 600, 0.005, 0.5};
}

bool enough(const SamplingRule& rule, const std::vector<double>& samples, double elapsed, bool keep_minimum) {
  if (samples.size() >= rule.most) return true;
  if (samples.size() < rule.fewest) return !keep_minimum && elapsed >= rule.seconds && !samples.empty();
  if (elapsed >= rule.seconds) return true;
  const auto interval = core::median_interval(samples);
  return interval.high - interval.low <= rule.width * core::median(samples);
}

bool depends_on_values(bool is_cpu, double quickest, double slowest) {
  return slowest > (is_cpu ? 2.0 : 1.3) * quickest;
}

double suspicious_ratio(bool is_cpu, bool has_memory, double on_new) {
  constexpr double suspicious = 0.85, short_seconds = 0.005;
  return has_memory && !(is_cpu && on_new < short_seconds) ? suspicious : replay_ratio;
}

double seconds_on_new(double row, double usual, std::size_t calls, std::size_t of_them_new) {
  return usual + (row - usual) * static_cast<double>(calls) / static_cast<double>(of_them_new);
}

bool is_quicker(bool is_cpu, double part, double on_known, double on_new) {
  constexpr double waking_seconds = 5e-4;
  return on_known < part * on_new && !(is_cpu && on_new - on_known < waking_seconds);
}

}  // namespace hone::judge
