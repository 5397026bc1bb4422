#pragma once
// A Python with torch, in a sandbox of its own, that runs one of Hone's scripts (resources/python)
// and speaks the wire protocol. A worker (runner/worker.h) replaces itself with it after it has
// entered its sandbox, so that the same limits hold. Functions without state; any thread.
#include <string>
#include <vector>

#include "runner/messages.h"
#include "runner/sandbox.h"

namespace hone::runner {

struct Python {
  std::string program;                // path of the interpreter
  std::vector<std::string> readable;  // folders of its libraries outside the system folders
  std::string version;                // "Python 3.11.2, torch 2.5.1"
};

// The interpreter to use: `given`, else $HONE_PYTHON, else the first of the active virtual
// environment, `python3` on the path and /usr/bin/python3 that has torch. Throws Error, with the
// fix, where there is none.
Python find_python(const std::string& given = "");

// Starts `script` (a file of resources/python, "oracle.py") with these arguments. All of that
// folder lies beside it, so that scripts can import each other. Forked by a fork server where that
// is possible (runner/fork_server.h).
Sandboxed start_python(const Python& python, const std::string& script, SandboxSpec spec,
                       const std::vector<std::string>& arguments = {});
// The same, always as a process of its own.
Sandboxed start_python_alone(const Python& python, const std::string& script, SandboxSpec spec,
                             const std::vector<std::string>& arguments);

// In the worker: replaces this process. Returns only where that failed, with {"broken": text}.
std::string become_python(const PythonOrder& order, const std::vector<base::Fd>& fds);

}  // namespace hone::runner
