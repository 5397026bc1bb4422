#include "store/list_json.h"

#include "core/json_bridge.h"

namespace hone::store {

using nlohmann::json;

json to_json(const EvaluationLine& line) { return core::bridged(line); }
json to_json(const CandidateLine& line) { return core::bridged(line); }
json to_json(const ProfileLine& line) { return core::bridged(line); }
json to_json(const Finding& finding) { return core::bridged(finding); }

}  // namespace hone::store
