#pragma once
// Inside the sandbox: compiling a reference.cc, and calling what came out.
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "base/fd.h"

namespace hone::runner {

// Descriptors: the source, the two headers. Answers {"built": bool} with the shared object and the log as memory files.
nlohmann::json compile_reference(const nlohmann::json& message, const std::vector<base::Fd>& fds,
                                 std::vector<base::Fd>& reply);
// Descriptors: the shared object, the arena that holds all tensors. Answers {"ok": true} or {"error": text}.
nlohmann::json run_reference(const nlohmann::json& message, const std::vector<base::Fd>& fds);

}  // namespace hone::runner
