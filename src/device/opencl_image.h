#pragma once
// What compiling an OpenCL source gives and loading takes: the driver's binary, and the kernels'
// parameters, which drivers tell only of programs built from source. Read back in the runner; a
// damaged image is a failure, never a crash.
#include <string>
#include <vector>

#include "device/device.h"

namespace hone::device {

struct OpenClImage {
  std::vector<KernelInfo> kernels;  // names and parameters only
  std::string binary;
};

std::string write_image(const OpenClImage& image);
base::Result<OpenClImage> read_image(const std::string& text);

}  // namespace hone::device
