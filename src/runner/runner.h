#pragma once
// The judge's handle on one disposable worker: a candidate's process. Every answer has a time limit that is enforced
// from here; a worker that does not keep it, dies or talks nonsense becomes a Fault, which is a value. Used from one
// thread.
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/device_info.h"
#include "core/evaluation.h"
#include "device/device.h"
#include "runner/python.h"
#include "runner/sandbox.h"
#include "runner/wire.h"

namespace hone::runner {

struct Fault {
  core::Outcome outcome = core::Outcome::crashed;
  std::string text;
};

// A worker in Python instead of this program's own: which one, and as what it serves (resources/python/worker.py).
struct PythonWorker {
  Python python;
  std::string role;  // "candidate", "reference", "baseline", "library"
};

struct RunnerOptions {
  SandboxSpec sandbox;
  std::optional<PythonWorker> python;
  bool freeze = true;  // stop the worker whenever it is not its turn (only where device code is native code)
};

// Where isolation can be had it is used; where not, native code is refused unless the user said so.
RunnerOptions runner_options(const core::DeviceInfo& info, bool unsafe);
// The same for a worker in Python, which is native code wherever it runs.
RunnerOptions python_options(const core::DeviceInfo& info, bool unsafe, PythonWorker worker);
int processes_of_pythons();  // and threads: of all that run at once

struct PrepareRequest {
  int plan = 0;
  std::vector<device::BindingSet> sets;
  bool fresh_addresses = true, flush = true, private_memory = false;
  int skip_launch = -1;
  std::vector<int> marked;  // see device::CallRequest
  bool record = false;
};

struct Timed {
  device::CallReport report;  // what the runner says
  double judge_seconds =
      0;  // from the word "go" to the answer, by the judge's clock; until it has stopped, where that takes long
};

class Runner {
 public:
  // Starts the process and tells it to open the device; does not wait for that.
  Runner(const core::DeviceInfo& info, const RunnerOptions& options);
  ~Runner();

  // `ahead`: what was compiled for it before its turn (runner/ahead.h).
  base::Result<std::vector<device::KernelInfo>, Fault> load(const std::string& image,
                                                            const std::vector<std::string>& kernels, double seconds,
                                                            const base::Fd* ahead = nullptr);
  base::Result<int, Fault> share(const base::Fd& fd, std::uint64_t bytes);
  base::Result<bool, Fault> drop();  // all shared blocks
  base::Result<int, Fault> plan(const core::ResolvedPlan& plan);
  base::Result<bool, Fault> prepare(const PrepareRequest& request, double seconds);
  // `freeze_after`: the worker is stopped again as soon as its answer is there. `mind_errors` false: a failed launch is
  // only told in the report.
  base::Result<Timed, Fault> go(double seconds, bool freeze_after = true, bool mind_errors = true);

  // What a worker in Python had to say of what it loaded.
  const std::vector<std::string>& notes() const { return notes_; }

  // What the last call did, where it was prepared with `record`. A failure may be that nothing can be recorded here.
  base::Result<std::vector<device::Activity>, Fault> activities();

  // Native code only. The fault: it would not stop, and was killed.
  std::optional<Fault> freeze();
  bool ran_while_frozen() const { return process_.ran_while_frozen(); }
  std::vector<pid_t> strangers() const { return process_.strangers(); }
  int threads() const { return process_.threads(); }
  pid_t pid() const { return process_.worker(); }
  std::string take_log() { return process_.take_log(); }
  // Lets the process end in its own time (a checker reports at the end) and returns all it printed.
  std::string finish_and_log(double seconds = 30);

 private:
  struct Answer;
  base::Result<Answer, Fault> ask(const std::string& text, const std::vector<int>& fds, double seconds);
  base::Result<Answer, Fault> receive(double seconds);
  std::optional<Fault> spoke_out_of_turn();
  base::Result<double, Fault> stop();  // the seconds it took
  Fault ended();

  RunnerOptions options_;
  std::string device_;  // its id, for messages
  Sandboxed process_;
  bool opening_ = true;
  std::vector<std::string> notes_;
  std::uint64_t most_resident_ = 0;  // private memory of the worker, as seen from time to time
};

// Whether a runner can open the device at all: why not, or "".
std::string open_problem(const core::DeviceInfo& info, const RunnerOptions& options);

// ---- building, in a worker of its own

struct Built {
  device::BuildResult result;
  bool cached = false;
  double seconds = 0;
};
base::Result<Built, Fault> build(const device::BuildRequest& request, const core::DeviceInfo& info, double seconds);

}  // namespace hone::runner
