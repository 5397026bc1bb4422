#pragma once
// A comparison as JSON, for jobs that travel and for `--json`: see core/json.h.
#include <nlohmann/json_fwd.hpp>

#include "store/comparisons.h"

namespace hone::store {

nlohmann::json to_json(const ComparisonRecord& comparison);  // without what the archive adds
// With the id, the time and the name of the task that the archive gave it.
nlohmann::json recorded_json(const ComparisonRecord& comparison);
ComparisonRecord comparison_from(const nlohmann::json& value);

}  // namespace hone::store
