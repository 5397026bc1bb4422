#pragma once
// An Error as JSON: {"code": 3, "kind": "bad_input", "message": "..."}.
#include <nlohmann/json_fwd.hpp>

#include "base/error.h"

namespace hone::app {

nlohmann::json to_json(const base::Error& error);

}  // namespace hone::app
