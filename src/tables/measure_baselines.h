#pragma once
// Measures torch itself on a list of problems and writes a line for each problem and class as soon
// as it is known, so that a list can be stopped at any moment and continued by the same call.
// Problems are prepared in groups, side by side, and timed one at a time (baseline_group.h). Used
// from one thread.
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/device_info.h"
#include "tables/baseline_group.h"
#include "tables/baselines.h"
#include "tables/recorded_baselines.h"

namespace hone::tables {

struct MeasureOptions {
  std::vector<std::string> problems;  // texts that name one each
  std::filesystem::path home;         // the file that gets every line
  std::filesystem::path out;          // a second one, see RecordedBaselines; "": none
  Reuse reuse;
  int jobs = 0;         // problems that are prepared side by side; 0: by the machine
  double limit_s = 0;   // for preparing one of them
  double budget_s = 0;  // for all; 0: no limit
  bool unsafe = false;
};

// What a list tells while it is worked on, and what it asks. All but load_task is called on the
// caller's thread.
struct MeasureCalls {
  LoadTask load_task;
  std::function<void(const std::vector<BaselineLine>&)>
      each;                                     // the lines of a problem, recorded or measured
  std::function<void(const std::string&)> say;  // a sentence about a problem that is done
  std::function<void(const std::string&, double part)>
      step;  // what is being done, and how much of the list is
  std::function<bool()> cancelled;
};

struct MeasuredBaselines {
  std::vector<BaselineLine> lines;  // in the order of the problems
  std::size_t problems = 0;         // that have lines
  bool complete = false;            // false: the time was up, or it was cancelled
};

// Throws Error where a text names no problem, and where the device or Python cannot be used at all.
// What fails for one problem is in its lines.
MeasuredBaselines measure_baselines(const MeasureOptions& options, const core::DeviceInfo& info,
                                    const MeasureCalls& calls);

}  // namespace hone::tables
