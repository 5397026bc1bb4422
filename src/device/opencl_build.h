#pragma once
// Compiling an OpenCL source with the device's own compiler, in the calling process. The source is
// hostile: call it in a sandboxed child.
#include "device/device.h"

namespace hone::device {

BuildResult build_opencl(const BuildRequest& request);
std::string opencl_compiler(const std::string& device_id);  // "" if there is none

}  // namespace hone::device
