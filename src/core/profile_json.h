#pragma once
// A profile as JSON, with the names of core/advice.h: for the archive, for bundles and for `hone
// profile --json`.
#include <nlohmann/json_fwd.hpp>

#include "core/advice.h"

namespace hone::core {

nlohmann::json to_json(const Profile& profile);
// The text may come from a stranger: throws Error (bad_input) or an exception of the JSON library.
Profile profile_from(const nlohmann::json& value);

// The parts that have no columns of their own in the archive: diagnosis, hot lines, what was left
// out, notes, costs.
nlohmann::json profile_body_json(const Profile& profile);
void read_profile_body(const nlohmann::json& value, Profile& profile);

}  // namespace hone::core
