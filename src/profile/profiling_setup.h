#pragma once
// The candidate as the collectors on a device use it: built, its plan for the case, inputs and
// working buffers; to be put into runners of their own, one after another. Owned by profile(), on
// the judge's thread.
#include <memory>

#include "judge/load.h"
#include "runner/runner.h"

namespace hone::profile {

struct ProfilingSetup {
  judge::Judge& judge;
  const core::Candidate& candidate;
  core::Point point;
  const core::Case& which;
  core::ResolvedPlan plan;
  judge::BufferSet working;
  judge::Caller caller;
  const judge::Entry& inputs;

  // Draws inputs where the judge has none for the case yet.
  ProfilingSetup(judge::Judge& judge_, const core::Candidate& candidate_, const core::Point& point_,
                 const core::Case& which_, const core::ResolvedPlan& plan_);
};

// Builds the candidate, with line information or without, past the same checks as for a verdict.
base::Result<runner::Built> build_for(const judge::Judge& judge, const core::Candidate& candidate,
                                      const core::Point& point, bool line_info);

// In a runner of the caller's, bound to the setup's buffers.
struct Loaded {
  judge::Ready ready;
  judge::BoundCandidate bound;
};
base::Result<Loaded> load_into(ProfilingSetup& setup, std::unique_ptr<runner::Runner> runner,
                               const std::string& image);

}  // namespace hone::profile
