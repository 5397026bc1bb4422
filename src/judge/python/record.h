#pragma once
// What the device did in a call, by a recorded call that is not timed: the share of its time in
// kernels of the candidate's own, and whether it was busy for longer than the time that was
// measured.
#include <optional>
#include <string_view>
#include <vector>

#include "judge/candidate_trial.h"

namespace hone::judge {

// What was recorded between the two control kernels that the harness runs before and after the
// call; nothing where the record does not have both of them.
std::optional<std::vector<device::Activity>> between_controls(
    std::vector<device::Activity> activities);

// Whether a kernel of this name comes from torch, a vendor's library or torch's compiler, and not
// from the candidate. By the names those are known to use: a report, no evidence.
bool is_library_kernel(std::string_view name);

// Of a candidate in Python. A recorded call that took longer than the time replaces it.
MaybeFinding note_own_kernels(CandidateTrial& trial, core::CaseResult& result,
                              core::Evaluation& evaluation);
// Of a plan with library operations.
void note_own_share(CandidateTrial& trial, core::Evaluation& evaluation);

}  // namespace hone::judge
