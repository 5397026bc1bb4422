#pragma once
// Evaluations, and what they are made of, as JSON: see core/json.h.
#include <nlohmann/json_fwd.hpp>

#include "core/evaluation.h"

namespace hone::core {

nlohmann::json to_json(const Interval& interval);  // [low, high]
Interval interval_from(const nlohmann::json& value);
nlohmann::json to_json(const EvaluationKey& key);
EvaluationKey key_from(const nlohmann::json& value);
nlohmann::json to_json(const Metric& metric);
Metric metric_from(const nlohmann::json& value);
nlohmann::json to_json(const Evidence& evidence);
nlohmann::json to_json(const Evaluation& evaluation);
Evaluation evaluation_from(const nlohmann::json& value);

}  // namespace hone::core
