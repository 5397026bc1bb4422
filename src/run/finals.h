#pragma once
// The end of a tuning run: which points may be the best, how they do against the default in
// interleaved blocks, and what a fresh process finds of the winner. What was measured for this run
// before is taken from the archive.
#include <atomic>

#include "run/tuning_run.h"

namespace hone::run {

// Everything the end of a run works on.
struct Finals {
  store::Archive& archive;
  const core::Task& task;
  const core::Candidate& candidate;
  const core::DeviceInfo& info;
  const TuneOptions& options;
  const TuningRun& run;
  const std::atomic<bool>& cancelled;
};

struct Finalist {
  core::Point point;
  double seconds = 0;  // as screened
};
// The fastest accepted points that the noise of a screening does not tell apart, the fastest first;
// without the default.
std::vector<Finalist> choose_finalists(const std::map<core::Point, core::Evaluation>& known,
                                       const core::Point& standard, core::ClockKind clock);

// The default as a, the point as b. Nothing where one of them was not accepted this time.
std::optional<store::ComparisonRecord> compare_with_default(const Finals& finals,
                                                            judge::Judge& judge,
                                                            const core::Point& point);

// What a process that has seen nothing of the search finds of the winner, with unseen seeds.
struct Confirmation {
  std::optional<store::EvaluationRecord> certified;  // nothing: the run was cancelled
  std::optional<store::ComparisonRecord> compared;   // a: the default
};
Confirmation confirm_afresh(const Finals& finals, const core::Candidate& tuned, bool compare);

}  // namespace hone::run
