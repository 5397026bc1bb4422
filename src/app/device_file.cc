#include "app/device_file.h"

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "core/device_json.h"
#include "core/json.h"

namespace hone::app {

using nlohmann::json;

DeviceFile read_device_file(const std::string& path) {
  const auto refuse = [&](const std::string& why) {
    base::fail(base::ExitCode::bad_input,
               "{} does not describe a device: `hone bundle device -o FILE` writes one, where the "
               "device is ({})",
               path, why);
  };
  const std::string text = base::read_file(path, base::largest_text_file);
  try {
    const json device = json::parse(text).at("device");
    return {core::device_from(device), core::ceilings_from(device.at("ceilings"))};
  } catch (const json::exception& error) {
    refuse(error.what());
  } catch (const base::Error& error) {
    refuse(error.what());
  }
  return {};
}

std::string device_file_text(const DeviceFile& device) {
  json described = core::to_json(device.info);
  described["ceilings"] = core::to_json(device.ceilings);
  return core::json_line({{"device", described}}) + "\n";
}

}  // namespace hone::app
