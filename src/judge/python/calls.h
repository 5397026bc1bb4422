#pragma once
// How a candidate in Python is timed: how many calls make a batch, and what is known of its clock.
// A call costs time by itself, before any kernel starts, so short ones are timed many together. On
// the judge's thread.
#include "judge/candidate_trial.h"
#include "judge/timing.h"

namespace hone::judge {

// In batches of calls, where that is worth it; otherwise call by call.
Sampled sample_python(CandidateTrial& trial, const SamplingRule& rule, const StopEarly& stop_early);
// The medians in batches and alone, and what calls cost by themselves, as metrics.
void note_python_clock(CandidateTrial& trial, const Timing& timing, core::Evaluation& evaluation);

}  // namespace hone::judge
