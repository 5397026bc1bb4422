#pragma once
// What a call's recorded activities come to: spans, gaps, overlap, the cost of a launch. Pure
// functions.
#include <vector>

#include "device/device.h"
#include "profile/profile.h"

namespace hone::profile {

// Metrics system.*; `wall` is the recorded call's time by the runner's clock.
std::vector<core::Metric> timeline_metrics(const std::vector<device::Activity>& activities,
                                           double wall);

// The same tags without values.
std::vector<core::Metric> no_timeline(const std::string& why);

}  // namespace hone::profile
