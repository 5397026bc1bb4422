#pragma once
// A candidate's kernels from the compiler, past the checks of what they may contain. Needs no device.
#include <string>

#include "base/result.h"
#include "core/candidate.h"
#include "core/device_info.h"
#include "core/evaluation.h"
#include "judge/finding.h"

namespace hone::judge {

// The image, or why there is none. The evaluation gets the build's log and seconds.
base::Result<std::string, Finding> build_image(const core::Candidate& candidate, const core::Point& point,
                                               const core::DeviceInfo& info, const GuardSet& guards, double seconds,
                                               core::Evaluation& evaluation);

}  // namespace hone::judge
