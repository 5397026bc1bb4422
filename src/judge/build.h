#pragma once
// A candidate's kernels from the compiler, past the checks of what they may contain. Needs no device.
#include <optional>
#include <string>

#include "core/candidate.h"
#include "core/device_info.h"
#include "core/evaluation.h"
#include "judge/guards.h"

namespace hone::judge {

// The image; nothing where there is none, and then the evaluation says why.
std::optional<std::string> build_image(const core::Candidate& candidate, const core::Point& point,
                                       const core::DeviceInfo& info, const GuardSet& guards, double seconds,
                                       core::Evaluation& evaluation);

}  // namespace hone::judge
