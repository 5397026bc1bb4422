#pragma once
// The state of the machine's own processors while something is measured on them: clock,
// temperature, and which other users are at work.
#include "device/device.h"

namespace hone::device {

// Other users are found by the processor time they took since the call before, so the first call
// names none. Never waits.
DeviceState read_host_state(const std::vector<int>& own_pids);

// Size of the largest cache, 0 if the system does not tell.
std::int64_t last_level_cache_bytes();

}  // namespace hone::device
