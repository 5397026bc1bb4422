#pragma once
// The slower guards, for whoever would become the incumbent: repeatability, launches without effect.
// The vendor's checkers are in judge/sanitize.h.
#include <vector>

#include "judge/judge.h"

namespace hone::judge {

// Adds labels, or convicts. The candidate has passed everything else on these cases.
void certify(Judge& judge, Ready& ready, const std::vector<const core::Case*>& cases, core::Evaluation& evaluation);

}  // namespace hone::judge
