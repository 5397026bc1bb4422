#pragma once
// For tests only: a runner whose worker plays a script (runner/test_worker.h), without a device.
#include "runner/runner.h"
#include "runner/test_worker.h"

namespace hone::runner {

// The runner of a worker with this script. It is as isolated as this machine allows.
struct ScriptedRunner {
  core::DeviceInfo info;
  RunnerOptions options;

  explicit ScriptedRunner(const Script& script) {
    info.language = core::Language::fake;
    info.id = script_text(script);
    if (!isolation_problem().empty()) options.sandbox.isolation = Isolation::limits;
  }
  Runner start() const { return {info, options}; }
};

}  // namespace hone::runner
