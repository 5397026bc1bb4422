#pragma once
// The fake as the runner uses it: it does what the loaded program says of itself, on imported host
// memory, with a clock of its own.
#include <memory>

#include "device/device.h"

namespace hone::device {

// fake:0 is a CPU: the judge's clock decides. fake:1 is a GPU: its own clock is believed, so that
// tests decide how long things take.
core::DeviceInfo fake_info(bool is_cpu = true);
core::DeviceInfo second_fake_gpu();  // fake:3 is another GPU of the model of fake:1
core::DeviceInfo
fake_info_with_pins();  // fake:2 is a GPU whose memory has pins, slow ones, and so a floor
std::unique_ptr<Device> open_fake(const core::DeviceInfo& info);
BuildResult build_fake(const BuildRequest& request);

}  // namespace hone::device
