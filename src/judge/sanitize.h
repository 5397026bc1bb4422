#pragma once
// The vendor's checkers (compute-sanitizer's memcheck and racecheck) on a runner of their own, with exact-size memory.
// Where there are none, that is said.
#include <vector>

#include "judge/judge.h"

namespace hone::judge {

void sanitize(Judge& judge, Ready& ready, const std::vector<const core::Case*>& cases, core::Evaluation& evaluation);

// What a checker's log says is wrong, in its own words; "" if nothing.
std::string sanitizer_errors(const std::string& log);

}  // namespace hone::judge
