#pragma once
// A profile as JSON, with the names of core/advice.h: for the archive, for bundles and for `hone profile --json`.
#include <nlohmann/json_fwd.hpp>

#include "core/advice.h"

namespace hone::store {

nlohmann::json profile_json(const core::Profile& profile);
// The text may come from a stranger: throws Error (bad_input) or an exception of the JSON library.
core::Profile profile_from(const nlohmann::json& value);

// The parts that have no columns of their own in the archive: diagnosis, hot lines, what was left out, notes, costs.
nlohmann::json profile_body_json(const core::Profile& profile);
void read_profile_body(const nlohmann::json& value, core::Profile& profile);

}  // namespace hone::store
