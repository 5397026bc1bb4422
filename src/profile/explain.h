#pragma once
// From what was measured to a class and advice. Everything that needs is kept with a profile (the
// device and its ceilings among the metrics), so that a recorded profile can be explained again,
// anywhere, by newer tools.
#include "profile/profile.h"

namespace hone::profile {

// Stages one and two, into the profile. The facts' task, case, candidate, plan, device and ceilings
// are set.
void explain(Facts& facts, const std::vector<std::string>& programs,
             const std::map<std::string, TrackRecord>& records, core::Profile& profile);

// The device and its ceilings as metrics device.* and ceiling.*, and back from them.
Collected collect_device(const core::DeviceInfo& device, const core::Ceilings& ceilings);

// Samples and code of the source's lines as metrics line.* have them, hottest first.
std::vector<LineSamples> lines_in(const std::vector<core::Metric>& metrics,
                                  const std::string& source);

// The same profile with what today's tools say, and what saying it took. Throws Error (bad_input)
// where the recording or the task lacks what that needs.
core::Profile explain_again(core::Profile recorded, const core::Task& task,
                            const core::Candidate& candidate,
                            const std::vector<std::string>& programs,
                            const std::map<std::string, TrackRecord>& records);

}  // namespace hone::profile
