#pragma once
// What stays the same while a run is at work (RunContext), and what the run tells about itself. The
// context is made before the run begins and is only read after that.
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "core/device_info.h"
#include "core/task.h"
#include "core/tree.h"
#include "exec/executor.h"
#include "run/settings.h"
#include "store/research.h"

namespace hone::run {

struct RunContext {
  const core::Task& task;
  core::DeviceInfo info;  // of an external evaluator: only its name
  core::Ceilings ceilings;
  RunSettings settings;
  RoleModels models;  // by role, all of them

  bool writes_python() const { return !task.external && settings.write == "python"; }
  core::Language language() const {
    return writes_python() ? core::Language::python : info.language;
  }
  // Under which findings about the device are kept.
  std::string device_kind() const {
    return core::capabilities(info).native_code ? "cpu" : info.arch;
  }
};

// What a person sees of a run at work.
struct RunStatus {
  std::string run, phase;  // phase: "first generation", "generation", "certifying", ...
  int generation = 0, candidates = 0, accepted = 0, failed = 0;
  std::map<std::string, std::string> doing;  // by role: "writer 2" -> "is asked", "00012 is judged"
  std::optional<int> best, seed;
  std::optional<double> best_seconds, seed_seconds;
  core::Interval best_interval;            // of its slowest case, relative to that case's median
  std::optional<double> ceiling_fraction;  // of the case that is farthest from it
  std::string ceiling;
  store::Spending spending;
  Budget budget;
  double minutes = 0;
  double device_seconds = 0;                  // that devices here worked on jobs
  std::optional<exec::WorkerCounts> workers;  // of a cluster
};

struct RunWatcher {
  std::function<void(const std::string&)> say = [](const std::string&) {};  // a sentence that lasts
  std::function<void(const std::string&)> note = [](const std::string&) {
  };  // of this moment: the status says it too
  std::function<void(const RunStatus&)> update = [](const RunStatus&) {};
};

}  // namespace hone::run
