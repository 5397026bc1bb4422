#include "core/records_json.h"

#include "core/json_bridge.h"

namespace hone::core {

using nlohmann::json;

json to_json(const Experiment& experiment) { return bridged(experiment); }
Experiment experiment_from(const json& value) { return bridged_from<Experiment>(value); }
json to_json(const Verdict& verdict) { return bridged(verdict); }
Verdict verdict_from(const json& value) { return bridged_from<Verdict>(value); }
json to_json(const Record& record) { return bridged(record); }
Record record_from(const json& value) { return bridged_from<Record>(value); }

}  // namespace hone::core
