#pragma once
// The worker's side of runner/oracle.h, inside the sandbox: compiling a reference.cc and calling
// the result. On the worker's only thread.
#include <vector>

#include "base/fd.h"
#include "runner/messages.h"

namespace hone::runner {

// Descriptors: the source, the two headers. Answers {"built": bool} with the shared object and the
// log as memory files.
std::string compile_reference(const CompileReferenceOrder& order, const std::vector<base::Fd>& fds,
                              std::vector<base::Fd>& reply);
// Descriptors: the arena that holds all tensors and, in the first call only, the shared object.
// Answers {"ok": true} or
// {"error": text}.
std::string run_reference(const ReferenceOrder& order, const std::vector<base::Fd>& fds);

}  // namespace hone::runner
