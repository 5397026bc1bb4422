#pragma once
// The state of the device as the judge finds it, with the programs that use it beside this process
// and its workers.
#include <unistd.h>

#include "device/device.h"
#include "runner/sandbox.h"

namespace hone::judge {

inline auto device_state(const core::DeviceInfo& info) {
  std::vector<int> own = runner::own_workers();
  own.push_back(::getpid());
  return device::read_state(info, own);
}

}  // namespace hone::judge
