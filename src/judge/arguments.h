#pragma once
// Compares the arguments of a plan's launches with the parameters of the kernels that were built:
// their number and width always, their kind where the device reports it. Library operations are not
// checked here; torch does that. Pure.
#include <string>
#include <vector>

#include "core/candidate.h"
#include "device/device.h"

namespace hone::judge {

// One diagnostic, with its place in the source, for everything that does not match.
std::vector<base::Diagnostic> match_arguments(const core::Candidate& candidate,
                                              const core::ResolvedPlan& plan,
                                              const std::vector<device::KernelInfo>& kernels);

}  // namespace hone::judge
