#pragma once
// A plan's arguments against the kernels' real parameters: count and width always, kind where the device tells it.
#include <string>
#include <vector>

#include "core/candidate.h"
#include "device/device.h"

namespace hone::judge {

// Everything that does not match, as diagnostics into the source; empty if all does.
std::vector<base::Diagnostic> match_arguments(const core::Candidate& candidate, const core::ResolvedPlan& plan,
                                              const std::vector<device::KernelInfo>& kernels);

}  // namespace hone::judge
