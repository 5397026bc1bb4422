#pragma once
// Python workers without the seconds that importing torch takes: a fork server in a sandbox of its
// own has imported it and forks for each worker (resources/python/fork_server.py). It runs Hone's
// own code only. This process has one for each Python and kind of sandbox, started when it is first
// needed and kept until this process ends. Any thread.
#include <optional>

#include "runner/python.h"

namespace hone::runner {

// A forked worker. Nothing where none is available (no nested namespaces, a spec that needs a
// sandbox of its own): the caller then starts a process.
std::optional<Sandboxed> start_forked(const Python& python, const std::string& script,
                                      const SandboxSpec& spec,
                                      const std::vector<std::string>& arguments);

}  // namespace hone::runner
