#pragma once
// The machine code that PoCL made of a kernel for one work-group size: in its cache, inside the
// runner's sandbox. What lies there was within the candidate's reach, so it is read as hostile: no
// links are followed, sizes are bounded.
#include <sys/types.h>

#include <string>

#include "base/result.h"
#include "core/plan.h"

namespace hone::profile {

// `runner` is the sandboxed process, after a call of the launch. Or why there is none, in words.
base::Result<std::string> kernel_binary(pid_t runner, const core::ResolvedLaunch& launch);

// The best fitting one of PoCL's folder names for a work-group size ("64-1-1-goffs0-smallgrid",
// "0-0-0"); -1: none does.
int best_variant(const std::vector<std::string>& names, const core::Dim3& block);

}  // namespace hone::profile
