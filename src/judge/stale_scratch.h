#pragma once
// The guard `stale-scratch`: where a kernel is used, its scratch holds what the call before left
// there. One call, on other inputs than the call before, finds its scratch so. It is made after
// sampling, for which some inputs must be unseen.
#include "judge/candidate_trial.h"

namespace hone::judge {

MaybeFinding check_stale_scratch(CandidateTrial& trial);

}  // namespace hone::judge
