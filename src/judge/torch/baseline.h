#pragma once
// Times torch itself: the task's module eager and compiled, in each class of precision, each in a
// process of its own. The processes take turns call by call on the same inputs. Each is timed in
// both ways in which candidates are timed: by the device's events with the host's time hidden, as
// device code is, and in batches of calls by the judge's clock, as candidates in Python are.
// Loading and compiling come first and need no judge, so several problems can be loaded at once;
// nothing is timed meanwhile.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "judge/judge.h"

namespace hone::judge {

// "fp32": TF32 off. "tf32": on for products and convolutions. "protocol": torch's default settings,
// as the protocol uses.
extern const std::vector<std::string> class_names;

struct BaselineResult {
  std::string class_name, mode;  // mode: "eager" or "compile"
  std::optional<core::CaseResult>
      measured;              // by the device's events; errors are those against the expected values
  double batch_seconds = 0;  // of a call, in batches by the judge's clock; 0: not measured
  std::size_t batch_calls = 0;  // in such a batch
  std::string missing;          // why it was not measured
};

// The processes of one problem, the judge's reference worker among them. Made, measured and
// destroyed on one thread. Task and case must outlive it.
class Baselines {
 public:
  // Starts the processes. Throws Error where there is nothing to start (no torch, a task without a
  // torch module).
  Baselines(const core::Task& task, const core::Case& which, const core::DeviceInfo& info);
  ~Baselines();
  Baselines(Baselines&&) noexcept;

  std::size_t count() const;
  // Lets process `index` load the problem, compile it if that is its mode, and run it once. May be
  // called on any thread, for different processes at the same time. Failures are reported in the
  // results.
  void load(std::size_t index, double seconds);
  // An estimate of the device memory that one process needs for that.
  std::uint64_t load_bytes() const;

  // Times the processes that were loaded, and ends them. Throws Error where none can be measured.
  std::vector<BaselineResult> measure(Judge& judge);

 private:
  void load_reference(double seconds);
  struct Processes;
  std::unique_ptr<Processes> processes_;
};

}  // namespace hone::judge
