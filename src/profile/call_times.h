#pragma once
// How long a call takes in a case that the judge only checks. By the clock that the judge would
// use, in the same kind of calls (flushed caches), but few of them. On the judge's thread; the
// caller holds the device (judge/lease.h).
#include "judge/load.h"

namespace hone::profile {

struct CallTimes {
  double seconds = 0, wall = 0;  // medians
  int calls = 0;
};
// `ready`'s runner is used; its earlier bindings are gone afterwards. Or why there is no time, in
// words.
base::Result<CallTimes> call_times(judge::Judge& judge, judge::Ready& ready,
                                   const core::Case& which, const core::ResolvedPlan& plan);

}  // namespace hone::profile
