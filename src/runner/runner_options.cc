#include "runner/runner_options.h"

#include <thread>

#include "base/error.h"
#include "base/files.h"

namespace hone::runner {

RunnerOptions runner_options(const core::DeviceInfo& info, bool unsafe) {
  RunnerOptions options;
  options.freeze = core::capabilities(info).native_code;
  options.sandbox.gpu = !core::capabilities(info).native_code;
  // Kernels of Hone's own that the judge has compiled already; without them every runner would
  // compile them again.
  if (!core::capabilities(info).native_code)
    options.sandbox.readable.push_back(base::home_folder() / "cache" / "cuda");
  if (isolation_problem().empty()) return options;
  if (core::capabilities(info).native_code && !unsafe)
    base::fail(base::ExitCode::environment,
               "device code on a CPU is native code, and no sandbox is available for it: {}. To "
               "run it without one, add --unsafe",
               isolation_problem());
  options.sandbox.isolation = Isolation::limits;
  return options;
}

// The kernel counts the processes and threads of a user together, and all workers of a fork server
// are one user. A worker that gets no thread may wait for it for ever (CUDA's driver does), so that
// the limit has room for many workers, each with a thread of torch's for each core and the driver's
// few, and for the processes of compilers.
int python_process_limit() {
  constexpr int workers = 64, threads_of_cuda = 6, others = 512;
  return workers * (static_cast<int>(std::thread::hardware_concurrency()) + threads_of_cuda) +
         others;
}

RunnerOptions python_options(const core::DeviceInfo& info, bool unsafe, PythonWorker worker) {
  constexpr std::uint64_t gib = 1u << 30;
  if (!isolation_problem().empty() && !unsafe)
    base::fail(base::ExitCode::environment,
               "a candidate in Python is native code, and no sandbox is available for it: {}. To "
               "run it without one, add --unsafe",
               isolation_problem());
  RunnerOptions options;
  if (worker.role != "candidate" && worker.role != "library") options.speaker.clear();
  options.python = std::move(worker);
  options.sandbox.gpu = !core::capabilities(info).native_code;
  options.sandbox.memory_bytes = 32 * gib;  // torch, a compiler, and results as large as the task's
  options.sandbox.scratch_bytes = 2 * gib;  // an extension with torch's headers, and caches
  options.sandbox.processes = python_process_limit();
  if (!isolation_problem().empty()) options.sandbox.isolation = Isolation::limits;
  return options;
}

}  // namespace hone::runner
