#pragma once
// The one process that decides what is true. It owns seeds, inputs, expected values, comparison, clock and verdict;
// candidates run in other processes. One Judge serves one task on one device; it keeps its pool of inputs between
// candidates. Used from one thread.
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/files.h"
#include "core/candidate.h"
#include "core/device_info.h"
#include "core/evaluation.h"
#include "judge/batch.h"
#include "judge/call.h"
#include "judge/guards.h"
#include "judge/own_inputs.h"
#include "judge/pool.h"
#include "judge/sampling.h"
#include "judge/truth.h"

namespace hone::judge {

constexpr int protocol_version = 7;  // of the rules by which verdicts are made; part of an evaluation's identity

// What an evaluation is the evaluation of. `case_name`: of this case alone; "": of all.
core::EvaluationKey evaluation_key(const std::string& candidate, const core::Point& point, const core::Task& task,
                                   const core::DeviceInfo& info, core::Depth depth, const std::string& case_name);

struct JudgeOptions {
  GuardSet guards;
  bool unsafe = false;       // run native code without a sandbox where none can be had
  double call_seconds = 20;  // limit for one call of a candidate
  double build_seconds = 120;
  int spare_runners = 0;    // kept started and ready, for the candidates that come next
  bool one_by_one = false;  // nothing but the next candidate comes after one: its runner may end meanwhile
  std::function<void(const std::string&)> progress = [](const std::string&) {};
  core::Ceilings ceilings;  // of this device, where measured
  std::optional<SamplingRule> sampling;
  std::size_t calls_in_a_row = 0;  // of candidates in Python, where there are inputs for several; 0: as it is worth
};

struct EvaluateOptions {
  core::Depth depth = core::Depth::screen;
  std::string case_name;            // only this case; "": all
  core::Point point;                // empty: the plan's defaults
  const base::Fd* ahead = nullptr;  // of a candidate in Python: what was compiled before its turn (runner/ahead.h)
  // Asked after two samples of a timed case, and after the case, with the time so far; true gives up on this point
  // (tuning uses it).
  std::function<bool(const core::CaseResult&)> hopeless;
};

// A candidate that was built, loaded and found to fit, in a runner of its own.
struct Ready {
  core::Candidate candidate;
  core::Point point;
  std::unique_ptr<runner::Runner> runner;
  std::vector<device::KernelInfo> kernels;
  std::string image;  // what was built
};

class Judge {
 public:
  Judge(const core::Task& task, const core::DeviceInfo& info, JudgeOptions options);
  ~Judge();

  core::Evaluation evaluate(const core::Candidate& candidate, const EvaluateOptions& options);

  // What identifies the evaluation that evaluate() would make.
  core::EvaluationKey key_for(const core::Candidate& candidate, const EvaluateOptions& options) const;
  // The cases of the task for this device.
  std::vector<const core::Case*> cases(const std::string& only) const;
  const core::Task& task() const { return task_; }
  const core::DeviceInfo& info() const { return info_; }

  // Starts runners ahead of their use, so that opening the device runs beside the build.
  void start_runners(int count, bool python = false);

  // ---- for comparisons and certification, which judge several runners side by side
  std::optional<Ready> make_ready(const core::Candidate& candidate, const EvaluateOptions& options,
                                  core::Evaluation& evaluation);
  // The same with a runner of another make (under a checker, say).
  std::optional<Ready> make_ready_with(const core::Candidate& candidate, const EvaluateOptions& options,
                                       core::Evaluation& evaluation, const runner::RunnerOptions& runner);
  // `drop_others`: the runner forgets the buffers of earlier cases.
  base::Result<Bound, CallFailure> bind(Ready& ready, const core::ResolvedPlan& plan, const BufferSet& working,
                                        bool drop_others = true);
  // The plan's numbers for the case, its arguments compared with the kernels' parameters; or what is wrong, in words.
  base::Result<core::ResolvedPlan> fitted_plan(const Ready& ready, const core::Case& which) const;
  // Gives up pools of other cases where this one needs the memory; throws where that is not enough.
  void make_room(const core::Case& which);
  void give_up_spares() { spare_sets_.clear(); }  // memory that is kept for candidates in Python
  Pool& pool(const core::Case& which);
  // What calls of a worker in Python cost beside what they do, on these buffers. Measured now.
  PythonCost python_cost(core::ResolvedPlan plan, const BufferSet& working);
  // The same on a GPU, measured once for a case and before any candidate in Python is there, as far as there was room:
  // what one has queued would make it look larger.
  const PythonCost& known_python_cost(const core::Case& which, const core::ResolvedPlan& plan,
                                      const BufferSet& working);
  // Why the time of calls in a row does not count beside that of calls alone, on these buffers; "": it does.
  std::string overlap_of(const core::ResolvedPlan& plan, const BufferSet& working, const PythonCost& cost, double many,
                         double few);
  device::Workbench& bench() { return *bench_; }
  Secrets& secrets() { return secrets_; }
  Truth& truth() { return truth_; }
  const JudgeOptions& options() const { return options_; }
  double kernel_seconds() const { return kernel_seconds_; }

 private:
  void see_off();  // waits until no runner of an earlier candidate is left
  struct CaseRun;
  bool check_case(Ready& ready, const core::Case& which, const EvaluateOptions& options, core::Evaluation& evaluation);
  base::Result<std::size_t> entries_that_fit(const core::ResolvedPlan& plan, const core::Case& which, bool certifying);
  bool verify(CaseRun& run, bool certifying, core::CaseResult& result, core::Evaluation& evaluation);
  bool sample(CaseRun& run, core::CaseResult& result, core::Evaluation& evaluation, const EvaluateOptions& options);
  bool check_stale_scratch(CaseRun& run, core::Evaluation& evaluation);
  bool check_wall_clock(CaseRun& run, core::CaseResult& result, core::Evaluation& evaluation);
  void finish_case(const core::Case& which, core::CaseResult& result, core::Evaluation& evaluation);
  bool place_in_classes(CaseRun& run, core::CaseResult& result, core::Evaluation& evaluation);
  void note_ceilings(const core::Case& which, bool as_fp32, core::CaseResult& result,
                     core::Evaluation& evaluation) const;
  void note_means(const Ready& ready, core::Evaluation& evaluation) const;
  static void note_named_precisions(const CaseRun& run, const std::vector<device::Activity>& activities,
                                    core::Evaluation& evaluation);
  // Whether new inputs and inputs seen before take the same time, `calls` at one word.
  bool check_replay(CaseRun& run, const std::vector<double>& unseen, const std::vector<double>& seen, std::size_t calls,
                    core::CaseResult& result, core::Evaluation& evaluation);
  // Makes the times those of the inputs on which it is slowest, if it is much slower there. `calls` at one word.
  struct Group {
    std::vector<const Entry*> entries;
    std::vector<double> seconds;  // of calls on these
  };
  std::optional<CallFailure> count_slowest(CaseRun& run, const std::vector<Group>& groups, std::size_t calls,
                                           const SamplingRule& rule, core::CaseResult& result,
                                           core::Evaluation& evaluation);
  // The same where it looks so, or where there is nothing to tell it by (on_new: 0).
  bool look_for_memory(CaseRun& run, const std::vector<double>& seen, std::size_t calls, double on_new,
                       core::CaseResult& result, core::Evaluation& evaluation);
  // On inputs that nobody has seen, `calls` at one word, until one of them is nearly as quick as is usual on known
  // ones.
  struct UnseenCalls;
  base::Result<UnseenCalls, CallFailure> call_unseen(CaseRun& run, std::size_t calls, double usual, double part);
  bool suits(Ready& ready, core::Evaluation& evaluation) const;
  runner::RunnerOptions own_runner_options(bool python);
  std::unique_ptr<runner::Runner> take_runner(bool python);
  const runner::Python& own_python() const;
  // Calls at one word, each on one of these entries; more than one where the run has a batch of that size.
  struct TimedCalls;
  base::Result<TimedCalls, CallFailure> time_calls(CaseRun& run, const std::vector<const Entry*>& entries);
  double seconds_of(const CaseRun& run, const CallResult& called, std::size_t calls) const;
  // Candidates in Python: how many calls in a row are timed together, and their times.
  base::Result<std::size_t, CallFailure> calls_in_a_row(CaseRun& run);
  bool sample_in_a_row(CaseRun& run, std::size_t count, const SamplingRule& rule, core::CaseResult& result,
                       core::Evaluation& evaluation);
  std::vector<const Entry*> any_of(const std::vector<const Entry*>& entries, std::size_t count);
  std::optional<CallFailure> bind_batch(CaseRun& run, std::size_t count);
  void end_batch(CaseRun& run);
  std::uint64_t spare_bytes() const;
  void note_python_clock(const CaseRun& run, std::size_t count, double alone, double in_a_row,
                         core::Evaluation& evaluation);
  // On a GPU: which share of the device's time lies in kernels of its own, by a recorded call that is not timed, and
  // whether the device was busy for longer than the time that was found.
  bool note_own_kernels(CaseRun& run, core::CaseResult& result, core::Evaluation& evaluation);
  std::optional<Ready> load(const core::Candidate& candidate, const EvaluateOptions& options,
                            core::Evaluation& evaluation,
                            const std::function<std::unique_ptr<runner::Runner>()>& runner_for);
  // A plan with library operations: its runner is a trusted Python, started while the kernels are built.
  std::optional<Ready> make_ready_with_library(const core::Candidate& candidate, const EvaluateOptions& options,
                                               core::Evaluation& evaluation);
  void note_own_share(CaseRun& run, core::Evaluation& evaluation);
  void learn_python_costs();
  std::optional<Ready> load_python(Ready ready, const base::Fd* ahead, core::Evaluation& evaluation,
                                   const std::function<std::unique_ptr<runner::Runner>()>& runner_for);
  void note_state(core::Evaluation& evaluation, const char* when);
  void note_own_check(core::Evaluation& evaluation) const;
  void note_narrow_precision(const CaseRun& run, core::Evaluation& evaluation) const;
  void load_honest_errors();
  void save_honest_errors();

  core::Task task_;
  core::DeviceInfo info_;
  JudgeOptions options_;
  std::unique_ptr<device::Workbench> bench_;
  Secrets secrets_;
  Truth truth_;
  HonestErrors honest_;
  std::size_t honest_saved_ = 0;
  std::map<std::string, std::unique_ptr<Pool>> pools_;
  std::map<std::string, std::vector<OwnInputs>> own_inputs_;  // by case
  std::unique_ptr<base::TemporaryFolder> shared_scratch_;     // only without the guard scratch-folder
  std::deque<std::unique_ptr<runner::Runner>> spares_, python_spares_;
  mutable std::optional<runner::Python> python_;
  std::future<void> leaving_;                           // the runner of the candidate before, while it is killed
  std::unique_ptr<runner::Runner> idle_python_;         // runs no candidate; see python_cost()
  std::map<std::string, PythonCost> python_costs_;      // by case
  std::vector<std::unique_ptr<BufferSet>> spare_sets_;  // of the last batch, for candidates in Python that come next
  std::string spare_case_;                              // whose shapes they have
  int evaluations_ = 0;
  double kernel_seconds_ = 0;
};

// Adds the evidence and sets the outcome.
void convict(core::Evaluation& evaluation, core::Outcome outcome, core::Evidence evidence);
// A point that a tuner's `hopeless` answered: not a verdict on the candidate, but not accepted either.
void give_up(core::Evaluation& evaluation, const std::string& case_name);
bool was_given_up(const core::Evaluation& evaluation);
void label(core::Evaluation& evaluation, const std::string& guard, int row, const std::string& case_name,
           std::string text);

}  // namespace hone::judge
