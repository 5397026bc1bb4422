#include "store/comparison_json.h"

#include "core/json_bridge.h"

namespace hone::store {

using nlohmann::json;

json to_json(const ComparisonRecord& comparison) { return core::bridged(comparison); }
json recorded_json(const ComparisonRecord& comparison) {
  return core::bridged([&](base::Fields& f) { describe_recorded(f, comparison); });
}
ComparisonRecord comparison_from(const json& value) {
  return core::bridged_from<ComparisonRecord>(value);
}

}  // namespace hone::store
