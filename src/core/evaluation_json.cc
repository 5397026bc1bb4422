#include "core/evaluation_json.h"

#include "core/json_bridge.h"

namespace hone::core {

using nlohmann::json;

json to_json(const Interval& interval) { return bridged(interval); }
Interval interval_from(const json& value) { return bridged_from<Interval>(value); }
json to_json(const EvaluationKey& key) { return bridged(key); }
EvaluationKey key_from(const json& value) { return bridged_from<EvaluationKey>(value); }
json to_json(const Metric& metric) { return bridged(metric); }
Metric metric_from(const json& value) { return bridged_from<Metric>(value); }
json to_json(const Evidence& evidence) { return bridged(evidence); }
json to_json(const Evaluation& evaluation) { return bridged(evaluation); }
Evaluation evaluation_from(const json& value) { return bridged_from<Evaluation>(value); }

}  // namespace hone::core
