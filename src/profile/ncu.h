#pragma once
// Nsight Compute on a runner of its own, below which nothing is shared with the judge but the
// inputs that are copied in. It is started early, because it takes seconds to start; one run gives
// the counters and, if wanted, the samples of every instruction. Used from the judge's thread.
#include <future>

#include "base/files.h"
#include "profile/profile.h"
#include "profile/profiling_setup.h"

namespace hone::profile {

struct KernelProfile {
  Collected collected;             // metrics kernel.* and line.*
  std::vector<LineSamples> lines;  // of all launches, hottest first in each
};

class KernelProfiler {
 public:
  // Starts ncu and the runner below it, which begins to open the device.
  KernelProfiler(const judge::Judge& judge, bool source);

  // The given [[launch]]es of the candidate's plan, the first repetition of each. `built` was made
  // with line information if lines are wanted. Once they are measured the device is free; reading
  // takes as long again.
  void measure(ProfilingSetup& setup, const runner::Built& built, const std::vector<int>& launches);
  KernelProfile read(const ProfilingSetup& setup, const runner::Built& built,
                     const std::vector<int>& launches);

 private:
  std::string run(ProfilingSetup& setup, const runner::Built& built,
                  const std::vector<int>& launches);  // "" or what went wrong
  std::string text_of(const std::string& page);
  void add_lines(const ProfilingSetup& setup, const runner::Built& built,
                 const std::vector<int>& launches, const std::string& text, KernelProfile& profile);

  bool source_ = false;
  std::string program_, problem_, log_;
  base::TemporaryFolder folder_;
  std::unique_ptr<runner::Runner> runner_;
};

// The words of the command line before the program. `folder` takes its files: log.txt, and
// report.ncu-rep where the source is wanted.
std::vector<std::string> ncu_command(const std::string& program, const std::string& folder,
                                     bool source);

}  // namespace hone::profile
