#pragma once
// A profile for a person: the class and its reason, the advice in order, the hottest lines, what
// was left out and why, what could not be measured and how to fix that, what it cost.
#include <string>

#include "core/advice.h"
#include "text/format.h"

namespace hone::text {

// System, energy, checkers: a line each, of those that were measured.
std::string measured_text(const core::Profile& profile);
std::string profile_text(const core::Profile& profile, const Screen& screen);
std::string gain_text(
    const core::Interval& gain);  // "12 to 30 % of the call's time, 1.14× to 1.43× as fast"

}  // namespace hone::text
