#pragma once
// `--executor spool:DIR` and `--executor slurm:PARTITION`: jobs go through a spool to workers that
// the user starts, or that are submitted to Slurm and cancelled when the run ends. A thread of its
// own looks for results, shows the workers that the run is alive, and returns the jobs of workers
// that were lost. A full disk is waited for.
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "exec/executor.h"
#include "exec/slurm.h"
#include "exec/spool.h"

namespace hone::exec {

struct SpoolExecutorOptions {
  std::filesystem::path spool;
  SpoolSettings settings;
  std::optional<SlurmOptions> slurm;  // nothing: workers are started by others
  std::vector<std::string> pass_on;   // options of `hone worker` for those that Slurm starts
  std::function<void(const std::string&)> say = [](const std::string&) {};  // any thread
};
// Throws Error where the spool cannot be used.
std::unique_ptr<Executor> spool_executor(SpoolExecutorOptions options);

// Whose sign of life tells workers that the run is at work.
inline constexpr const char* run_life_file = "run";

}  // namespace hone::exec
