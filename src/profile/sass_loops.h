#pragma once
// The loops of a kernel's machine code: natural loops of its flow graph. Loops that only wait (for
// a barrier's phase, a lock) or that a warp runs once for each of its values are not among them:
// their instructions belong to whatever surrounds them.
#include <vector>

#include "profile/flow_loops.h"
#include "profile/sass_code.h"

namespace hone::profile {

// Outer before inner.
std::vector<CodeLoop> loops_of(const SassKernel& kernel);

}  // namespace hone::profile
