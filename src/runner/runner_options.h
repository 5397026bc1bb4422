#pragma once
// How a worker is started: its sandbox, and whether it is this program or a Python. Plain data, and
// the usual settings for a device.
#include <optional>
#include <string>

#include "core/device_info.h"
#include "runner/python.h"
#include "runner/said.h"
#include "runner/sandbox.h"

namespace hone::runner {

// A worker in Python instead of this program's own: which Python, and its role
// (resources/python/worker.py).
struct PythonWorker {
  Python python;
  std::string role;  // "candidate", "reference", "baseline", "library"
};

struct RunnerOptions {
  SandboxSpec sandbox;
  std::optional<PythonWorker> python;
  bool freeze = true;  // stop the worker while it has nothing to do: native code could work ahead
  std::string speaker = std::string(
      candidates_process);  // whose words its texts are; "": no candidate's code runs in it
};

// Full isolation where it is available. Throws Error where it is not and the worker runs native
// code, unless `unsafe`.
RunnerOptions runner_options(const core::DeviceInfo& info, bool unsafe);
// The same for a worker in Python, which is native code on every device.
RunnerOptions python_options(const core::DeviceInfo& info, bool unsafe, PythonWorker worker);
int python_process_limit();  // processes and threads of all Python workers together

}  // namespace hone::runner
