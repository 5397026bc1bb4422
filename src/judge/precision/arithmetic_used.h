#pragma once
// By which means an accepted candidate computes, as far as can be told: instructions of the tensor
// cores in what was built, and the share of the device's time in kernels of its own. Metrics only.
#include "judge/load.h"

namespace hone::judge {

void note_arithmetic_used(const Judge& judge, const Ready& ready, core::Evaluation& evaluation);

}  // namespace hone::judge
