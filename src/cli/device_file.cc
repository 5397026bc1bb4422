#include "cli/device_file.h"

#include "base/error.h"
#include "base/files.h"
#include "run/work.h"

namespace hone::cli {

DeviceFile read_device_file(const std::string& path) {
  auto read = run::result_from(base::read_file(path, base::largest_text_file));
  if (!read || read->device.id.empty())
    base::fail(base::ExitCode::bad_input,
               "{} does not describe a device: `hone bundle device -o FILE` writes one, where the device is ({})", path,
               read ? "no device in it" : read.error());
  return {read->device, read->ceilings};
}

std::string device_file_text(const DeviceFile& device) {
  run::EvalResult as_result;
  as_result.name = "device";
  as_result.device = device.info;
  as_result.ceilings = device.ceilings;
  return run::to_text(as_result) + "\n";
}

}  // namespace hone::cli
