#pragma once
// A device and what it was measured to reach, as JSON: see core/json.h.
#include <nlohmann/json_fwd.hpp>

#include "core/device_info.h"

namespace hone::core {

nlohmann::json to_json(const DeviceInfo& info);
DeviceInfo device_from(const nlohmann::json& value);
nlohmann::json to_json(const Ceilings& ceilings);
Ceilings ceilings_from(const nlohmann::json& value);

}  // namespace hone::core
