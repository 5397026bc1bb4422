#pragma once
// How long each launch of a plan takes on a CPU: the plan is called as far as its first launch, its
// second, and so on, in turns, and what a launch adds is its time. Leaving a launch out instead
// would give the later ones garbage to work on.
#include <map>
#include <string>

#include "base/result.h"
#include "judge/load.h"

namespace hone::profile {

// Seconds by [[launch]], summed over its repetitions; or what went wrong. The runner has called
// every launch afterwards.
base::Result<std::map<int, double>> launch_seconds(judge::Judge& judge, judge::Ready& ready,
                                                   const core::Case& which,
                                                   const core::ResolvedPlan& plan);

// Ends of the parts of a plan: the place behind the last of each row of launches that come from the
// same [[launch]].
std::vector<std::size_t> launch_parts(const core::ResolvedPlan& plan);

}  // namespace hone::profile
