#pragma once
// A comparison as JSON, for jobs that travel and for `--json`: see core/json.h. The archive gives it id and time.
#include <nlohmann/json_fwd.hpp>

#include "store/comparisons.h"

namespace hone::store {

nlohmann::json to_json(const ComparisonRecord& comparison);
ComparisonRecord comparison_from(const nlohmann::json& value);

}  // namespace hone::store
