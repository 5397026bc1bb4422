#pragma once
// A candidate for a CPU without the loops that a case never enters, such as the scalar tail of a
// vector loop whose length divides the size: advice rests on code that ran. One call of a marked
// copy says which loops were entered. Kernel loops alone are asked; loops of functions that kernels
// call count as entered. On the judge's thread.
#include <memory>
#include <vector>

#include "profile/profiling_setup.h"

namespace hone::profile {

struct ReachedCode {
  std::vector<int> never;  // lines of loops that the case never entered
  // The candidate with a trap in those, which has called the case once; null where every loop was
  // entered.
  std::unique_ptr<ProfilingSetup> setup;
  core::Candidate candidate;
  Loaded loaded;
};
// Or why that is not known.
base::Result<std::unique_ptr<ReachedCode>> reached_code(judge::Judge& judge,
                                                        const judge::Ready& ready,
                                                        const core::Case& which,
                                                        const core::ResolvedPlan& plan);

}  // namespace hone::profile
