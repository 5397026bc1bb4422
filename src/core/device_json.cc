#include "core/device_json.h"

#include "core/json_bridge.h"

namespace hone::core {

using nlohmann::json;

json to_json(const DeviceInfo& info) { return bridged(info); }
DeviceInfo device_from(const json& value) { return bridged_from<DeviceInfo>(value); }
json to_json(const Ceilings& ceilings) { return bridged(ceilings); }
Ceilings ceilings_from(const json& value) { return bridged_from<Ceilings>(value); }

}  // namespace hone::core
