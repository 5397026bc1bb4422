#pragma once
// A device as a file: its facts and measured ceilings, written where it is and read where the
// models are.
#include <string>

#include "base/fields_fwd.h"
#include "core/device_info.h"

namespace hone::app {

struct DeviceFile {
  core::DeviceInfo info;
  core::Ceilings ceilings;
};
DeviceFile read_device_file(const std::string& path);  // throws Error (bad_input)
std::string device_file_text(const DeviceFile& device);
void describe(base::Fields& fields, DeviceFile& device);

}  // namespace hone::app
