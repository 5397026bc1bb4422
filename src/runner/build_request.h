#pragma once
// The request to the compiler for a source at a point of its tunables, which become defines: the
// source itself is the same at every point. Pure.
#include <string>

#include "core/device_info.h"
#include "core/plan.h"
#include "device/device.h"

namespace hone::runner {

device::BuildRequest build_request(const core::DeviceInfo& info, const std::string& source,
                                   const std::string& name, const core::Point& point);

}  // namespace hone::runner
