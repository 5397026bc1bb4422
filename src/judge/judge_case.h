#pragma once
// What the parts of the judge share while one case is judged. For judge*.cc only; on the judge's thread.
#include <memory>
#include <vector>

#include "judge/batch.h"
#include "judge/judge.h"
#include "judge/since.h"

namespace hone::judge {

// Everything about one case while it is judged.
struct Judge::CaseRun {
  const core::Case& which;
  core::ResolvedPlan plan;
  BufferSet working;
  Bound bound;
  Caller caller;
  std::vector<Entry*> entries;
  // Of candidates in Python.
  PythonCost cost;
  std::unique_ptr<Batch> batch;
  std::vector<device::BindingSet> bindings;  // of all sets of the batch
};

// Per call.
struct Judge::TimedCalls {
  double seconds = 0;  // by which the candidate is judged
  double wall = 0;     // by the judge's clock, as it is
  double error_max = 0;
};

struct Judge::UnseenCalls {
  std::vector<TimedCalls> first;     // on each input
  std::vector<double> again, known;  // the second on it; those in between, on inputs that were seen before
  bool as_quick = false;
};

inline std::vector<double> seconds_in(const auto& calls) {
  std::vector<double> seconds;
  for (const auto& one : calls) seconds.push_back(one.seconds);
  return seconds;
}

inline std::vector<double> walls_in(const auto& calls) {
  std::vector<double> seconds;
  for (const auto& one : calls) seconds.push_back(one.wall);
  return seconds;
}

}  // namespace hone::judge
