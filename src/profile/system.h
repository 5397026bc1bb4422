#pragma once
// The timeline of one call, recorded by the runner itself.
#include "profile/bench.h"
#include "profile/profile.h"

namespace hone::profile {

// `ready` holds the candidate in a runner that nobody has used yet.
Collected collect_system(Bench& bench, judge::Ready& ready);

}  // namespace hone::profile
