#pragma once
// A Python with torch, in a sandbox of its own, that runs one of Hone's scripts (resources/python) and speaks the wire.
// The worker of runner/sandbox.h becomes it once it is inside, so that all that holds for workers holds for it.
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "runner/sandbox.h"

namespace hone::runner {

struct Python {
  std::string program;                // of the interpreter
  std::vector<std::string> readable;  // folders of its libraries outside of the system's
  std::string version;                // "Python 3.11.2, torch 2.5.1"
};

// The interpreter to use: `given`, else $HONE_PYTHON, else the first of the active virtual environment, `python3` on
// the path and /usr/bin/python3 that has torch. Throws Error, with how to mend it, where there is none.
Python find_python(const std::string& given = "");

// Starts `script` (a file of resources/python, "oracle.py") with these words after its name. All of that folder lies
// beside it, so that scripts can import each other.
// A warm parent forks it where that can be done (runner/nursery.h).
Sandboxed start_python(const Python& python, const std::string& script, SandboxSpec spec,
                       const std::vector<std::string>& words = {});
// The same, always as a process of its own.
Sandboxed start_python_alone(const Python& python, const std::string& script, SandboxSpec spec,
                             const std::vector<std::string>& words);

// In the worker: replaces this process. Comes back only with what went wrong.
nlohmann::json become_python(const nlohmann::json& message, const std::vector<base::Fd>& fds);

}  // namespace hone::runner
