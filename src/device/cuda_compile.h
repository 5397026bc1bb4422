#pragma once
// From CUDA source to a cubin by NVRTC, in this process and without a device. Called where a
// compiler crash costs nothing that matters.
#include <string>

#include "device/device.h"

namespace hone::device::cuda {

BuildResult compile(const BuildRequest& request);  // throws Error where there is no NVRTC
std::string compiler_version();                    // "NVRTC 13.0"; "" if there is none

}  // namespace hone::device::cuda
