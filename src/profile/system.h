#pragma once
// The timeline of one call, recorded by the runner itself.
#include "profile/profile.h"
#include "profile/profiling_setup.h"

namespace hone::profile {

// `ready` holds the candidate in a runner that was not used yet.
Collected collect_system(ProfilingSetup& setup, judge::Ready& ready);

}  // namespace hone::profile
