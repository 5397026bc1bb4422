#pragma once
// What certification adds to an accepted evaluation: the same input many times, and launches left
// out in turn. The device must be held.
#include <vector>

#include "judge/load.h"

namespace hone::judge {

// What decides the verdict, if anything; labels and metrics are added to the evaluation.
MaybeFinding certify(Judge& judge, Ready& ready, const std::vector<const core::Case*>& cases,
                     core::Evaluation& evaluation);

}  // namespace hone::judge
