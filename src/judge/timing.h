#pragma once
// The measured times of one case, and what guards that go by the clock make of them. Times are
// sampled by sample_calls (call by call) or sample_batches (several calls in one request), which
// run the guards as well.
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "judge/sampling.h"
#include "judge/trial.h"

namespace hone::judge {

struct Timing {
  // Seconds per call: by which the candidate is judged, and by the judge's clock as measured.
  std::vector<double> samples, judge_seconds;
  std::vector<Finding> labels;
  std::size_t calls_per_batch = 1;
  double alone = 0, batched = 0;  // medians, where calls were also timed in batches
  double variants = 0;            // the median on variants, where there were calls on them
};

// What a guard makes of a timing: a label and, where the samples do not count, others in their
// place.
struct Correction {
  Finding label;
  std::vector<double> samples, judge_seconds;  // empty: the samples stay
};
using GuardResult = base::Result<std::optional<Correction>, Finding>;  // a finding here decides

void apply(Timing& timing, Correction correction);

// Inputs of one kind, and the times of calls on them.
struct InputGroup {
  Entries entries;
  std::vector<double> seconds;
};

// Asked with the samples so far; true stops the sampling, and the finding says so (stopped_early).
using StopEarly = std::function<bool(const std::vector<double>& samples)>;

// What was measured, and what decides the verdict, if anything: what was measured until then is
// kept as evidence.
struct Sampled {
  Timing timing;
  MaybeFinding finding;

  bool ok() const { return !finding; }
  const Finding& error() const { return *finding; }
  const Timing& operator*() const { return timing; }
  const Timing* operator->() const { return &timing; }
};

Sampled sample_calls(Trial& trial, const SamplingRule& rule, const StopEarly& stop_early = {});
// `calls` per batch, at least two; the trial has buffers for as many.
Sampled sample_batches(Trial& trial, const SamplingRule& rule, std::size_t calls);

}  // namespace hone::judge
