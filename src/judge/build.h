#pragma once
// A candidate's kernels from the compiler, past the checks of what they may contain. Needs no
// device.
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/candidate.h"
#include "core/device_info.h"
#include "core/evaluation.h"
#include "judge/finding.h"

namespace hone::judge {

// What else is built from the same source, for a run that is no verdict's.
struct BuildVariant {
  bool line_info = false;     // for checkers and debuggers
  std::uint32_t disturb = 0;  // see device::BuildRequest
};

// The image, or why there is none. The evaluation gets the build's log and seconds; `traits` those
// of the code (device/ptx_traits.h).
base::Result<std::string, Finding> build_image(const core::Candidate& candidate,
                                               const core::Point& point,
                                               const core::DeviceInfo& info, const GuardSet& guards,
                                               double seconds, core::Evaluation& evaluation,
                                               const BuildVariant& variant = {},
                                               std::vector<std::string>* traits = nullptr);

}  // namespace hone::judge
