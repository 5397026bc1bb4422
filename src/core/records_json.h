#pragma once
// The records of a run's journal as JSON: {"record": "judged", ...}. See core/json.h.
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/records.h"

namespace hone::core {

nlohmann::json to_json(const Experiment& experiment);
Experiment experiment_from(const nlohmann::json& value);
nlohmann::json to_json(const Verdict& verdict);
Verdict verdict_from(const nlohmann::json& value);

nlohmann::json to_json(const Record& record);
Record record_from(const nlohmann::json& value);

}  // namespace hone::core
