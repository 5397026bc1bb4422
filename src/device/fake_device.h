#pragma once
// The fake as the runner uses it: it does what the loaded program says of itself, on imported host memory, with a clock
// of its own.
#include <memory>

#include "device/device.h"

namespace hone::device {

core::DeviceInfo fake_info();
std::unique_ptr<Device> open_fake(const core::DeviceInfo& info);
BuildResult build_fake(const BuildRequest& request);

}  // namespace hone::device
