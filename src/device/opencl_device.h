#pragma once
// An OpenCL device as the runner uses it: programs loaded from images, buffers over imported host
// memory, one in-order queue.
#include <memory>

#include "device/device.h"

namespace hone::device {

std::unique_ptr<Device> open_opencl(const core::DeviceInfo& info);  // throws Error

}  // namespace hone::device
