#pragma once
// The runners of one judge: started ahead of their use, so that opening the device runs beside the
// build, and ended beside the work on the next candidate. Owned by the judge, on its thread.
#include <deque>
#include <future>
#include <memory>
#include <optional>
#include <vector>

#include "base/files.h"
#include "core/device_info.h"
#include "judge/guards.h"
#include "runner/python.h"
#include "runner/runner.h"

namespace hone::judge {

class Runners {
 public:
  // `first`: as many are started at once. `spare`: so many are there after refill().
  Runners(const core::DeviceInfo& info, const GuardSet& guards, bool unsafe, int spare, int first)
      : info_(info), guards_(guards), unsafe_(unsafe), spare_(spare) {
    start(first);
  }

  // At least `count` are started.
  void start(int count, bool python = false);
  // Where there is none, so that one opens the device while a candidate is built.
  void start_first(bool python);
  std::unique_ptr<runner::Runner> take(bool python);
  // Starts spare ones. To be called when a candidate has been timed, not before: opening the device
  // makes work there, which would lengthen its times.
  void refill(bool python) { start(spare_, python); }
  // Whether one is opening the device now.
  bool are_opening() const;
  void wait_until_open() const;
  // A worker in Python that runs no candidate, under the same limits as one that does.
  std::unique_ptr<runner::Runner> start_idle_python();
  // A worker in Python for plans with operations of a library. None of its host code is the
  // candidate's.
  std::unique_ptr<runner::Runner> start_library();
  const runner::Python& python();  // found at the first use; throws Error where there is none

  // Ends a runner in the background, beside others that are ending.
  void end_in_background(std::unique_ptr<runner::Runner> runner);
  void wait_for_ending();

 private:
  runner::RunnerOptions options_for(bool python, const char* role = "candidate");

  const core::DeviceInfo& info_;
  const GuardSet& guards_;
  bool unsafe_;
  int spare_;
  std::unique_ptr<base::TemporaryFolder> shared_scratch_;  // only without the guard scratch-folder
  std::deque<std::unique_ptr<runner::Runner>> spares_, python_spares_;
  std::optional<runner::Python> python_;
  std::vector<std::future<void>> ending_;
};

}  // namespace hone::judge
