#pragma once
// What the build says of each kernel: registers, spills, stack, shared and constant bytes, from
// ptxas's words in the compiler's log and from the loaded function; and the launches' geometry,
// from the plan. Pure functions.
#include <string>
#include <vector>

#include "device/device.h"
#include "profile/profile.h"

namespace hone::profile {

// Metrics build.*, per launch. `kernels` are the loaded functions (judge::Ready::kernels), `log`
// the build's own, untrimmed.
Collected collect_build(const std::vector<device::KernelInfo>& kernels,
                        const core::ResolvedPlan& plan, const std::string& log);

// Metrics launch.*, per launch.
Collected collect_launches(const core::ResolvedPlan& plan);

}  // namespace hone::profile
