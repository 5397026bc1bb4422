#pragma once
// Workers in Python without the seconds that importing torch takes: a parent in a sandbox of its own has imported it
// and forks for each of them (resources/python/nursery.py). It runs no code but Hone's. One for each Python in this
// process; may be used from several threads.
#include "runner/python.h"

namespace hone::runner {

// A forked worker; nothing where none can be had (no name spaces within name spaces, a spec that is not the usual one),
// and then a process of its own does it.
std::optional<Sandboxed> start_forked(const Python& python, const std::string& script, const SandboxSpec& spec,
                                      const std::vector<std::string>& words);

}  // namespace hone::runner
