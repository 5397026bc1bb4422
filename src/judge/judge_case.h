#pragma once
// What the parts of the judge share while one case is judged. For judge*.cc only; on the judge's thread.
#include <chrono>
#include <vector>

#include "judge/judge.h"

namespace hone::judge {

using Clock = std::chrono::steady_clock;

inline double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Everything about one case while it is judged.
struct Judge::CaseRun {
  const core::Case& which;
  core::ResolvedPlan plan;
  BufferSet working;
  Bound bound;
  Caller caller;
  std::vector<Entry*> entries;
  double overhead = 0;  // of a worker in Python on a GPU
};

}  // namespace hone::judge
