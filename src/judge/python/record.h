#pragma once
// What the device did in a call, by a recorded call that is not timed: the share of its time in kernels of the
// candidate's own, and whether it was busy for longer than the time that was measured.
#include <string_view>

#include "judge/candidate_trial.h"

namespace hone::judge {

// Whether a kernel of this name comes from torch, a vendor's library or torch's compiler, and not from the candidate.
// By the names those are known to use: a report, no evidence.
bool is_library_kernel(std::string_view name);

// Of a candidate in Python. A recorded call that took longer than the time replaces it.
MaybeFinding note_own_kernels(CandidateTrial& trial, core::CaseResult& result, core::Evaluation& evaluation);
// Of a plan with library operations.
void note_own_share(CandidateTrial& trial, core::Evaluation& evaluation);

}  // namespace hone::judge
