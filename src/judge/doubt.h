#pragma once
// Where other programs keep the machine busy, times prove little: what a guard that goes by the
// clock says then, a conviction or a label with a longer time, is taken back, and the candidate is
// undecided. Pure functions of what was found and of the contention that was measured over the same
// calls (runner/contention.h). Only delay that is caused from outside the sandbox counts, and
// undecided is not accepted: a candidate gains nothing by it.
#include "judge/judge.h"
#include "judge/timing.h"
#include "runner/contention.h"

namespace hone::judge {

// The same finding; or that the candidate is undecided, where a guard that goes by the clock says
// it and the machine was busy.
Finding unless_busy(Finding finding, const runner::Contention& contention);
// The same for all that sampling found. A label that is taken back leaves what was measured as
// evidence.
void doubt(Sampled& sampled, const runner::Contention& contention);

// Judge::evaluate, and once more where that is undecided: in a process that has seen nothing, a
// second or more later.
core::Evaluation evaluate_twice_if_undecided(Judge& judge, const core::Candidate& candidate,
                                             EvaluateOptions options);

}  // namespace hone::judge
