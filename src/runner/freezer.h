#pragma once
// Stops all threads of a process and lets them go on, so that a worker runs only while the judge
// measures it, and tells whether it ran all the same: native code can have itself woken by a timer
// or by a helper process. Owned by the handle on the process (runner/sandbox.h); used from one
// thread.
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>

namespace hone::runner {

class Freezer {
 public:
  Freezer() = default;  // of no process: does nothing
  explicit Freezer(pid_t process) : process_(process) {}

  // Returns when all threads have stopped, with the seconds that it waited for them. Nothing: they
  // did not stop in time.
  std::optional<double> freeze();
  // The same in two steps, where something must be done before all threads are seen to have
  // stopped, which takes some milliseconds where there are hundreds: they are told to stop; they
  // have stopped. Where one was found running, the seconds are those from `since` until the last
  // one had stopped.
  void begin_freeze();
  std::optional<double> end_freeze(std::chrono::steady_clock::time_point since);
  void thaw();
  // Whether threads have run, ended or appeared since the process was stopped.
  bool ran_while_frozen() const;

 private:
  std::optional<double> wait_until_stopped(std::chrono::steady_clock::time_point since) const;

  pid_t process_ = -1;
  bool frozen_ = false, is_stopping_ = false;
  std::map<int, std::uint64_t> run_times_;  // of each thread in nanoseconds, when it was stopped
  std::uint64_t tolerated_nanoseconds_ =
      0;  // that stopped threads may be seen to have run since, all together
};

}  // namespace hone::runner
