#pragma once
// The worker's side of runner/inspect.h, inside the sandbox. On the worker's only thread.
#include <vector>

#include "base/fd.h"
#include "runner/messages.h"

namespace hone::runner {

// Descriptor: the contents. Answers {"code": exit code} with stdout and stderr as memory files, or
// {"broken": text}.
std::string inspect_here(const InspectOrder& order, const std::vector<base::Fd>& fds,
                         std::vector<base::Fd>& reply);

}  // namespace hone::runner
