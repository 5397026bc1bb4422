#pragma once
// The guard `judge-clock` for candidates that device events time: the events of a batch of calls
// must agree with the judge's own clock over the same batch. The judge's clock also holds the
// message and the launches, and more of both on a busy machine, but not more for a longer batch; so
// where the clocks disagree, longer batches are tried before the candidate is convicted.
#include "judge/trial.h"

namespace hone::judge {

// `seconds` is the time of one call, `limit` that of a whole call of the candidate. The value: what
// both clocks said.
base::Result<ClockPair, Finding> check_clocks(Trial& trial, double seconds, double limit);

}  // namespace hone::judge
