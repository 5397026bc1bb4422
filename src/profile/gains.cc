#include "profile/gains.h"

#include <fmt/format.h>

#include <algorithm>

#include "profile/limits.h"

namespace hone::profile {

std::string percent(double fraction) {
  const double value = fraction * 100;
  return value != 0 && value < 9.95 ? fmt::format("{:.1f} %", value)
                                    : fmt::format("{:.0f} %", value);
}

core::Interval gain_of_call(const Facts& facts, double saved_low, double saved_high) {
  const double most = 1 - floor_fraction(facts), middle = (saved_low + saved_high) / 2;
  if (middle > 0) {
    saved_low = std::min(saved_low, middle * (1 - least_doubt));
    saved_high = std::max(saved_high, middle * (1 + least_doubt));
  }
  const double low = 100 * std::clamp(saved_low, 0.0, most),
               high = 100 * std::clamp(saved_high, 0.0, most);
  // Where the roofline cuts both ends, it is not known that it is reached.
  const double least = std::min({low, high, std::max(low, high) * (1 - least_doubt)});
  return {least, std::max(low, high)};
}

core::Interval gain_if(const Facts& facts, double fraction_high, double fraction_low) {
  const double part = facts.share * busy_fraction(facts);
  return gain_of_call(facts, part * (1 - fraction_high), part * (1 - fraction_low));
}

std::optional<core::Severity> severity_of(const core::Interval& gain) {
  const double middle = (gain.low + gain.high) / 2;
  if (gain.low >= critical_low) return core::Severity::critical;
  if (middle >= major_gain) return core::Severity::major;
  if (middle >= minor_gain) return core::Severity::minor;
  return std::nullopt;
}

core::Interval gain_without_stall(const Facts& facts, double share) {
  return gain_without_stall(facts, share, busiest(facts));
}

core::Interval gain_without_stall(const Facts& facts, double share, double next_limit) {
  const double least = share * std::max(1 - share, 0.5);
  return gain_if(facts, std::max(1 - least, (1 + next_limit) / 2), std::max(1 - share, next_limit));
}

std::string stall_model(double share, double next_limit) {
  return fmt::format(
      "If these cycles ({}) went: by Little's law the warps in flight issue as often as their "
      "remaining cycles allow, until the next limit ({}) binds; at the low end the freed warps "
      "meet at the waits that remain, and the way to that limit is gone half.",
      percent(share), percent(next_limit));
}

std::optional<core::Advice> worth(core::Advice advice, const core::Interval& gain,
                                  std::string model) {
  const auto severity = severity_of(gain);
  if (!severity) return std::nullopt;
  advice.gain = gain;
  advice.model = std::move(model);
  advice.severity = *severity;
  return advice;
}

}  // namespace hone::profile
