#pragma once
// Inside a process that is becoming a sandboxed worker: its descriptors, and the root file system
// that it builds. Between the files of the child's side; a failure is reported over the control
// socket and ends the process. Its only thread.
#include <string>

#include "runner/sandbox.h"

namespace hone::runner {

constexpr int control_socket = 3, status_pipe = 4;  // descriptors; the Python workers know them too

// Reports `what` with errno's text to the parent and exits where it did not work.
void must(bool worked, const std::string& what);

// A small root in memory: the system read-only, devices by name, a new /proc, and /tmp as the only
// place to write.
void build_root(const SandboxSpec& spec);

}  // namespace hone::runner
