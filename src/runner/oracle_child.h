#pragma once
// The worker's side of runner/oracle.h, inside the sandbox: compiling a reference.cc and calling
// the result. On the worker's only thread.
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "base/fd.h"

namespace hone::runner {

// Descriptors: the source, the two headers. Answers {"built": bool} with the shared object and the
// log as memory files.
nlohmann::json compile_reference(const nlohmann::json& message, const std::vector<base::Fd>& fds,
                                 std::vector<base::Fd>& reply);
// Descriptors: the arena that holds all tensors and, in the first call only, the shared object.
// Answers {"ok": true} or
// {"error": text}.
nlohmann::json run_reference(const nlohmann::json& message, const std::vector<base::Fd>& fds);

}  // namespace hone::runner
