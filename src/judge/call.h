#pragma once
// One judged call of a candidate: fresh contents at fresh addresses, poison, canaries, the launch under the clock, and
// then every check. Verifying calls and timed calls are this same call; nothing tells them apart from inside.
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "judge/bounds.h"
#include "judge/buffers.h"
#include "judge/guards.h"
#include "judge/pool.h"
#include "judge/secrets.h"
#include "runner/runner.h"

namespace hone::judge {

// A candidate loaded in a runner, with its plan for one case, bound to working buffers.
struct Bound {
  runner::Runner* runner = nullptr;
  int plan = 0, last_launch = -1;
  bool hostile = false;  // it has host code of its own
  device::BindingSet bindings;
};

// One of several calls in a row: on tensors of its own.
struct Job {
  BufferSet* working = nullptr;
  const device::BindingSet* bindings = nullptr;
  const Entry* entry = nullptr;
};

struct CallResult {
  runner::Timed timed;                                  // of all calls
  double error_max = 0, error_rms = 0, honest_rms = 0;  // the worst output's
  std::vector<ErrorPair> errors;                        // by output
  std::uint64_t fingerprint = 0;                        // of all outputs, where it is asked for
  double settled = 0;  // seconds until the device had taken a look at a result, where it may have gone on
};

// How long it takes until the device has looked at a part of this.
double settle_seconds(device::Workbench& bench, device::Span result);

struct CallFailure {
  core::Outcome outcome = core::Outcome::wrong;
  core::Evidence evidence;
};

struct CallOptions {
  bool flush = true, private_memory = false;
  int skip_launch = -1;
  double seconds = 10;      // limit for the launch itself
  bool verify = true;       // false only without the guard verify-timed
  std::vector<int> marked;  // for profilers; see device::CallRequest
  bool record = false;
  bool keep_scratch = false;  // as the call before left it
  bool print = false;         // whether the result's fingerprint is wanted
};

class Caller {
 public:
  // `working` holds inputs, outputs, then scratch, as the plan's buffers do.
  Caller(const core::Task& task, const core::Case& which, device::Workbench& bench, BufferSet& working,
         Secrets& secrets, const GuardSet& guards, const core::DeviceInfo& info);

  // What a call needs to know of an entry; otherwise the first call on it finds that out.
  void look_at(const Entry& entry);
  // Before an entry that was called goes away.
  void forget(const Entry& entry) { input_prints_.erase(&entry), right_.erase(&entry), asked_.erase(&entry); }
  base::Result<CallResult, CallFailure> call(const Bound& bound, const Entry& entry, const CallOptions& options);
  // Several at one word, each verified like one alone.
  base::Result<CallResult, CallFailure> call(const Bound& bound, const std::vector<Job>& jobs,
                                             const CallOptions& options);
  // Of all calls so far: which output was computed in how narrow a precision, where any is taken; empty: none.
  const std::string& narrow_precision() const { return narrow_; }

 private:
  // A result that was found right, and how far off it is.
  struct Right {
    std::uint64_t print = 0;
    ErrorPair error;
  };
  std::vector<device::Span> outputs_of(const std::vector<Job>& jobs) const;
  // A random place in each of them: to print them all takes longer than a call.
  std::vector<device::Span> glimpses_of(std::vector<device::Span> outputs);
  void lay_out(const Entry& entry, bool keep_scratch);
  // `prints` are those of the outputs. Whether any of them was new, and had to be compared with the truth.
  base::Result<bool, CallFailure> check_results(const std::vector<Job>& jobs, const std::vector<std::uint64_t>& prints,
                                                CallResult& result);
  // Of one call; the same.
  base::Result<bool, CallFailure> check_result(const Entry& entry, std::span<const std::uint64_t> prints,
                                               CallResult& result);
  std::optional<CallFailure> check_alone(const runner::Runner& runner, const char* when) const;
  std::optional<CallFailure> check_canaries(const std::vector<Job>& jobs);
  std::optional<CallFailure> check_inputs(const std::vector<Job>& jobs);
  std::optional<CallFailure> check_output(std::size_t index, const Entry& entry, ErrorPair& error);
  static void note_error(const ErrorPair& error, double honest, CallResult& result);
  std::optional<CallFailure> check_officially(const Entry& entry);
  CallFailure failure(core::Outcome outcome, const std::string& guard, int row, std::string text) const;
  // With the place of the call among others.
  static CallFailure in_row(CallFailure problem, const std::vector<Job>& jobs, std::size_t index);

  const core::Task& task_;
  const core::Case& case_;
  device::Workbench& bench_;
  BufferSet& own_;
  BufferSet* working_;  // of the call that is looked at
  Secrets& secrets_;
  const GuardSet& guards_;
  const core::DeviceInfo& info_;
  std::map<const Entry*, std::vector<std::uint64_t>> input_prints_;
  std::map<const Entry*, std::vector<Right>> right_;  // by output, the last that was compared
  std::set<const Entry*> asked_;                      // entries on which the problem's own check has been heard
  std::string narrow_;
  double narrowest_ = 0;  // its rms error over an honest kernel's
  std::uint64_t print_key_;
  CacheFlush flush_;
};

}  // namespace hone::judge
