#include "app/device_file.h"

#include "base/error.h"
#include "base/files.h"
#include "base/json.h"

namespace hone::app {

DeviceFile read_device_file(const std::string& path) {
  auto device = base::from_json<DeviceFile>(base::read_file(path, base::largest_text_file));
  if (!device)
    base::fail(base::ExitCode::bad_input,
               "{} does not describe a device: `hone bundle device -o FILE` writes one, where the "
               "device is ({})",
               path, device.error());
  return *std::move(device);
}

std::string device_file_text(const DeviceFile& device) { return base::json_line(device) + "\n"; }

void describe(base::Fields& f, DeviceFile& device) {
  f.group("device", [&] {
    f.value(device.info);
    f("ceilings", device.ceilings);
  });
}

}  // namespace hone::app
