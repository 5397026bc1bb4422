#pragma once
// Torch itself as somebody to be measured: eager and compiled, in each class of precision, every one in a process of
// its own, sample by sample in turn on the same inputs. Each is timed in both ways that candidates are: by the device's
// events with the host's time hidden, as device code is, and by calls in a row under the judge's clock, as candidates
// in Python are. Loading and compiling come before and need no judge, so that they can be done for several problems at
// once, and nothing is timed meanwhile.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "judge/judge.h"

namespace hone::judge {

// "fp32": TF32 off. "tf32": on for products and convolutions. "protocol": torch's defaults.
extern const std::vector<std::string> class_names;

struct BaselineResult {
  std::string class_name, mode;              // mode: "eager" or "compile"
  std::optional<core::CaseResult> measured;  // as device code is; errors are those against the truth
  double in_a_row = 0;                       // seconds of a call, as candidates in Python are timed; 0: not measured
  std::size_t calls = 0;                     // in such a row
  std::string missing;                       // why it was not
};

// The processes of one problem, the judge's reference among them. Made, measured and given up on one thread; the task
// and the case are its owner's.
class Baselines {
 public:
  // Starts them. Throws Error where there is nothing to start (no torch, a task without a torch module).
  Baselines(const core::Task& task, const core::Case& which, const core::DeviceInfo& info);
  ~Baselines();
  Baselines(Baselines&&) noexcept;

  std::size_t count() const;
  // Lets process `index` load the problem, compile it where that is its mode, and run it. May be called on any thread,
  // for different processes at once. What goes wrong is told in the results.
  void load(std::size_t index, double seconds);
  // What one of them may need of the device's memory for that; an estimate.
  std::uint64_t load_bytes() const;

  // Times what was loaded. The processes end with it. Throws Error where nothing at all can be measured.
  std::vector<BaselineResult> measure(Judge& judge);

 private:
  void load_reference(double seconds);
  struct Processes;
  std::unique_ptr<Processes> processes_;
};

}  // namespace hone::judge
