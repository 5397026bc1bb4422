#include "core/profile_json.h"

#include "core/json_bridge.h"

namespace hone::core {

using nlohmann::json;

json to_json(const Profile& profile) { return bridged(profile); }
Profile profile_from(const json& value) { return bridged_from<Profile>(value); }

json profile_body_json(const Profile& profile) {
  return bridged([&](base::Fields& f) { describe_body(f, const_cast<Profile&>(profile)); });
}
void read_profile_body(const json& value, Profile& profile) {
  base::read_json(value.dump(), [&](base::Fields& f) { describe_body(f, profile); });
}

}  // namespace hone::core
