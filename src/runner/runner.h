#pragma once
// The judge's handle on one disposable worker, the process that runs a candidate: load its code,
// share blocks of memory, prepare a batch of calls and time it. A worker that fails becomes a
// Fault, which is a value. Owns the process; used from one thread.
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/device_info.h"
#include "device/device.h"
#include "runner/connection.h"
#include "runner/fault.h"
#include "runner/runner_options.h"

namespace hone::runner {

struct Timed {
  device::CallReport report;  // by the worker, which may lie
  // By the judge's clock: from sending "go" to the answer, and until the worker has stopped where
  // that takes long.
  double judge_seconds = 0;
  std::chrono::steady_clock::time_point answered;  // when the answer was there
  // Processes beside the worker in its sandbox when it had been told to stop: stopping it does not
  // stop them, and they may have ended before anything else is looked at.
  std::size_t others = 0;
};

// What becomes of a worker when its answer is there.
enum class AfterAnswer : std::uint8_t {
  runs_on,
  stops,        // and has stopped when go() returns
  is_stopping,  // finish_stopping() is to be called: what matters first is what the device still
                // does
};

class Runner {
 public:
  // Starts the process and tells it to open the device; does not wait for that.
  Runner(const core::DeviceInfo& info, const RunnerOptions& options);

  // `ahead`: what was compiled for it before (runner/ahead.h).
  base::Result<std::vector<device::KernelInfo>, Fault> load(const std::string& image,
                                                            const std::vector<std::string>& kernels,
                                                            double seconds,
                                                            const base::Fd* ahead = nullptr);
  // A block of memory; the value is the worker's number for it. `own_number` is the owner's, which
  // it never gives to another block: one that was shared before is the same memory at the same
  // addresses.
  base::Result<int, Fault> share(int own_number, const base::Fd& fd, std::uint64_t bytes);
  base::Result<bool, Fault> drop();  // all shared blocks
  base::Result<int, Fault> plan(const core::ResolvedPlan& plan);
  base::Result<bool, Fault> prepare(const PrepareRequest& request, double seconds);
  // Runs what was prepared. `fail_on_error` false: a failed launch is told in the report, and is no
  // Fault.
  base::Result<Timed, Fault> go(double seconds, AfterAnswer after = AfterAnswer::stops,
                                bool fail_on_error = true);
  // Returns when the worker has stopped, with the seconds from now by which that took too long.
  base::Result<double, Fault> finish_stopping();

  // What a worker in Python noted about what it loaded, in sentences.
  const std::vector<std::string>& notes() const { return notes_; }

  // What the last call did, where it was prepared with `record`. A Fault where nothing can be
  // recorded on this device.
  base::Result<std::vector<device::Activity>, Fault> activities();

  // Does nothing where options.freeze is false. The fault: it did not stop, and was killed.
  std::optional<Fault> freeze();
  // Whether it still opens the device, on which that is work.
  bool is_opening() const { return connection_.is_opening(); }
  // Called a few times a second while an answer is waited for, with the seconds so far.
  void while_waiting(std::function<void(double)> tell) {
    connection_.while_waiting(std::move(tell));
  }
  bool ran_while_frozen() const { return connection_.process().freezer().ran_while_frozen(); }
  std::vector<pid_t> other_processes() const { return connection_.process().other_processes(); }
  int threads() const;
  pid_t pid() const { return connection_.process().worker(); }
  // Lets the process end by itself (a checker reports at the end) and returns all that it printed.
  std::string finish_and_log(double seconds = 30);
  void kill() { connection_.process().kill(); }  // returns when it is gone

 private:
  base::Result<double, Fault> finish_stopping(std::chrono::steady_clock::time_point since);

  bool freeze_;
  Connection connection_;
  std::vector<std::string> notes_;
  std::map<int, int> shared_;  // blocks, by their owner's numbers
};

// Why a runner cannot open the device; "" where it can.
std::string open_problem(const core::DeviceInfo& info, const RunnerOptions& options);

// ---- building, in a worker of its own

struct Built {
  device::BuildResult result;
  bool cached = false;
  double seconds = 0;
};
base::Result<Built, Fault> build(const device::BuildRequest& request, const core::DeviceInfo& info,
                                 double seconds);

}  // namespace hone::runner
