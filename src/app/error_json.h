#pragma once
// An Error as a command tells it to programs.
#include <string>

#include "base/error.h"

namespace hone::app {

// {"error": {"code": 3, "kind": "bad_input", "message": "..."}}
std::string error_json(const base::Error& error);

}  // namespace hone::app
