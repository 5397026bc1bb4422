#pragma once
// What lists of the archive are made of, as JSON for `--json`: see core/json.h. Times are ISO 8601
// in UTC.
#include <nlohmann/json_fwd.hpp>

#include "store/candidates.h"
#include "store/evaluations.h"
#include "store/findings.h"
#include "store/profiles.h"

namespace hone::store {

nlohmann::json to_json(const EvaluationLine& line);
nlohmann::json to_json(const CandidateLine& line);
nlohmann::json to_json(const ProfileLine& line);
nlohmann::json to_json(const Finding& finding);

}  // namespace hone::store
