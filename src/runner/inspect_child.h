#pragma once
// The worker's side of runner/inspect.h, inside the sandbox.
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "base/fd.h"

namespace hone::runner {

nlohmann::json inspect_here(const nlohmann::json& message, const std::vector<base::Fd>& fds,
                            std::vector<base::Fd>& reply);

}  // namespace hone::runner
