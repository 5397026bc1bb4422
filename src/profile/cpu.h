#pragma once
// OpenCL on a CPU: what the source says, what the compiled code does (from the driver's own cache,
// disassembled), and each launch's own time. Needs the case's buffers and calls the candidate a few
// times; on the judge's thread.
#include "profile/profile.h"

namespace hone::profile {

// Metrics cpu.*, per launch. The caller holds the device (judge/lease.h). `ready` is built and
// loaded, `plan` is its plan for the case (judge::fitted_plan); its runner is used and still usable
// afterwards, but its earlier bindings are gone.
Collected collect_cpu(judge::Judge& judge, judge::Ready& ready, const core::Case& which,
                      const core::ResolvedPlan& plan);

}  // namespace hone::profile
