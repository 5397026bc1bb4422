#pragma once
// Starting this program again as a worker: its arguments, environment and descriptors, the message
// that tells it the spec, and the user that it is mapped to. For runner/sandbox.cc; functions
// without state.
#include <string>

#include "runner/sandbox.h"

namespace hone::runner {

// Throws Error where the process cannot be started. The ends become its descriptors 3 (socket), 1
// and 2 (log), 4 (status).
pid_t spawn_worker(const SandboxSpec& spec, const Sandboxed::ChildEnds& ends);
std::string spec_message(const SandboxSpec& spec);
SandboxSpec spec_from(const std::string& message);
void map_user(pid_t pid);  // after the process has made its namespaces

}  // namespace hone::runner
