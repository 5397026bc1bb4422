#pragma once
// The worker's side of runner/inspect.h, inside the sandbox. On the worker's only thread.
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "base/fd.h"

namespace hone::runner {

// Descriptor: the contents. Answers {"code": exit code} with stdout and stderr as memory files, or
// {"broken": text}.
nlohmann::json inspect_here(const nlohmann::json& message, const std::vector<base::Fd>& fds,
                            std::vector<base::Fd>& reply);

}  // namespace hone::runner
