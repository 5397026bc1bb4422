#pragma once
// A profile in the words that models get: class, advice and hot lines; never counters, except where
// those are what is asked for.
#include <string>
#include <vector>

#include "core/advice.h"

namespace hone::agents {

std::string diagnosis_text(const core::Profile& profile);
// The busiest pipe, time and clock of each launch, and bytes moved beside the compulsory ones (0:
// not known); "": nothing of it was measured.
std::string measured_text(const core::Profile& profile, double compulsory_bytes);
std::string advice_text(
    const core::Profile& profile);  // all of it, in order; "" where there is none
std::string cited_text(const core::Profile& profile, const std::vector<std::string>& ids);
std::string hot_lines_text(const core::Profile& profile);
std::string counters_text(
    const core::Profile& profile);  // names and values, without any interpretation

}  // namespace hone::agents
