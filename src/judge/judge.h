#pragma once
// The one process that decides what is true. It owns seeds, inputs, expected values, comparison,
// clock and verdict; candidates run in other processes. One Judge serves one task on one device and
// keeps what its procedures share between candidates: inputs, runners, the reference. Evaluating is
// a method; comparing (compare.h), certifying (certify.h) and checking (sanitize.h) are functions
// over it. Used from one thread.
#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "core/candidate.h"
#include "core/device_info.h"
#include "core/evaluation.h"
#include "judge/build.h"
#include "judge/guards.h"
#include "judge/inputs.h"
#include "judge/python/cost.h"
#include "judge/runners.h"
#include "judge/sampling.h"
#include "judge/since.h"
#include "judge/truth.h"

namespace hone::judge {

constexpr int protocol_version =
    9;  // of the rules by which verdicts are made; part of an evaluation's identity

// What an evaluation is the evaluation of. `case_name`: of this case alone; "": of all.
core::EvaluationKey evaluation_key(const std::string& candidate, const core::Point& point,
                                   const core::Task& task, const core::DeviceInfo& info,
                                   core::Depth depth, const std::string& case_name);

struct JudgeOptions {
  GuardSet guards;
  bool unsafe = false;       // run native code without a sandbox where none can be had
  double call_seconds = 20;  // limit for one call of a candidate
  double build_seconds = 120;
  // For a candidate in Python, whose first call often compiles, call_seconds holds from the second
  // call on, unless this says that it holds for the first one too.
  bool limits_first_call = false;
  int first_runners = 0;    // for device code, started while the judge itself opens the device
  int spare_runners = 0;    // started for the next candidates whenever one has been judged
  bool diagnose = true;     // failures on a CUDA device, by another run
  bool one_by_one = false;  // only the next candidate follows each: its runner is ended beside the
                            // next one's build
  std::function<void(const std::string&)> progress = [](const std::string&) {};
  core::Ceilings ceilings;  // of this device, where measured
  std::optional<SamplingRule> sampling;
  std::optional<Clock::time_point>
      deadline;  // of evaluate(): for the device, and for the reference
  std::size_t calls_per_batch =
      0;  // of candidates in Python, where there are inputs for several; 0: the judge decides
};

inline double first_call_seconds(const JudgeOptions& options) {
  return options.limits_first_call ? options.call_seconds
                                   : std::max(options.call_seconds, options.build_seconds);
}

struct EvaluateOptions {
  core::Depth depth = core::Depth::screen;
  std::string case_name;  // only this case; "": all
  core::Point point;      // empty: the plan's defaults
  const base::Fd* ahead =
      nullptr;  // of a candidate in Python: what was compiled before its turn (runner/ahead.h)
  // Early stopping of a tuning point: asked after two samples of a timed case and after the case,
  // with the time so far.
  std::function<bool(const core::CaseResult&)> stop_early;
  BuildVariant variant;        // for runs that are no verdict's
  bool races_checked = false;  // certifying: racecheck has looked at it a moment ago (races.h)
};

class Judge {
 public:
  Judge(const core::Task& task, const core::DeviceInfo& info, JudgeOptions options);
  ~Judge();

  core::Evaluation evaluate(const core::Candidate& candidate, const EvaluateOptions& options);

  // What identifies the evaluation that evaluate() would make.
  core::EvaluationKey key_for(const core::Candidate& candidate,
                              const EvaluateOptions& options) const;
  // The cases of the task for this device.
  std::vector<const core::Case*> cases(const std::string& only) const;
  // Makes room for a case, if need be by waiting for a runner that is ending and by releasing other
  // cases' inputs; throws Error where that is not enough.
  void make_room(const core::Case& which);

  const core::Task& task() const { return task_; }
  const core::DeviceInfo& info() const { return info_; }
  const JudgeOptions& options() const { return options_; }
  device::TensorOps& tensor_ops() { return *ops_; }
  Secrets& secrets() { return secrets_; }
  Truth& truth() { return truth_; }
  Inputs& inputs() { return inputs_; }
  Runners& runners() { return runners_; }
  PythonCosts& python_costs() { return python_costs_; }
  double& kernel_seconds() { return kernel_seconds_; }  // spent in candidates' calls so far

 private:
  core::Task task_;
  core::DeviceInfo info_;
  JudgeOptions options_;
  mutable Runners runners_;  // before the device is opened, and until it is closed: both overlap
  std::unique_ptr<device::TensorOps> ops_;
  Secrets secrets_;
  Truth truth_;
  Inputs inputs_;
  PythonCosts python_costs_;
  double kernel_seconds_ = 0;
};

}  // namespace hone::judge
