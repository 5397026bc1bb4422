#pragma once
// Some problems of `hone baseline` at once. Asking what a problem takes, loading it and compiling
// it keep one core busy for seconds and the device for milliseconds, so that is done for all of
// them side by side; then nothing runs any more but the one that is timed. Used from one thread,
// which everything it starts belongs to.
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/task.h"
#include "judge/torch/baseline.h"
#include "tables/pace.h"

namespace hone::tables {

// Makes a task of what a user named; throws Error where that is not possible.
using LoadTask = std::function<core::Task(const std::string& text)>;

struct Attempt {
  std::string text;                  // "kernelbench:level1/23"
  std::unique_ptr<core::Task> task;  // where one could be made of it
  const core::Case* which = nullptr;
  std::optional<judge::Baselines> processes;
  std::vector<judge::BaselineResult> results;
  std::string failed;
  bool transient = false;          // the failure is the machine's
  double prepared = 0, timed = 0;  // seconds

  void fail(const std::string& why, bool of_the_machine);  // ends its processes too
};

struct GroupOptions {
  double limit_s = 0;             // for preparing one problem
  const Deadline* end = nullptr;  // of everything
  LoadTask load_task;             // called on several threads at once
  std::function<void(const std::string&)> progress = [](const std::string&) {};
};

// Up to the point where all that is left is timing.
void prepare(std::vector<Attempt>& group, const core::DeviceInfo& info,
             const GroupOptions& options);
// Times one that is prepared; its processes end with that.
void time_prepared(Attempt& attempt, const core::DeviceInfo& info,
                   const judge::JudgeOptions& judging);

// Whether it may have failed for want of memory that others beside it held.
bool may_succeed_alone(const Attempt& attempt);
// How many problems a machine can prepare side by side: half of its cores, and what fits on the
// device.
int usual_jobs(const core::DeviceInfo& info);

}  // namespace hone::tables
