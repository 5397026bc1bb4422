#pragma once
// From a limit that is lifted to percent of the call's time, and from there to a severity. A gain
// follows from a model that the advice states; it never promises more than the roofline leaves.
#include <optional>
#include <string>

#include "profile/tool.h"

namespace hone::profile {

// Severity is what the gain is worth: critical where even the low end of the interval is a fifth of
// the call, else by its middle; below the last an experiment is better spent elsewhere.
inline constexpr double critical_low = 20, major_gain = 10, minor_gain = 3;
// No model is better than this part of what it says, either side of the middle: counters are read
// in other runs, at other clocks, than the time.
inline constexpr double least_doubt = 0.1;
std::optional<core::Severity> severity_of(const core::Interval& gain);

// Parts of the call that would not be spent, 0..1; bounded by the roofline.
core::Interval gain_of_call(const Facts& facts, double saved_low, double saved_high);

// A stall with this share of the warps' cycles vanishes. By Little's law the warps in flight then
// issue as often as the rest of their cycles allows: the time falls by the share, until the busiest
// unit is the limit (high end). At the low end the freed warps meet at the waits that remain and
// lose that share of the gain again, at most half of it; and the way to the next limit is gone
// half.
core::Interval gain_without_stall(const Facts& facts, double share);
// The same with another limit behind it.
core::Interval gain_without_stall(const Facts& facts, double share, double next_limit);
// That model in words.
std::string stall_model(double share, double next_limit);

// The advice with its gain, model and severity; nothing where it is not worth an experiment.
std::optional<core::Advice> worth(core::Advice advice, const core::Interval& gain,
                                  std::string model);

}  // namespace hone::profile
