#pragma once
// One candidate on one case, with its buffers and its runner: it can be called, verified and timed.
// Guards are free functions over a Trial that return findings; evaluating, comparing, certifying
// and profiling are procedures over trials. The interface exists because there are two: a candidate
// in a runner (candidate_trial.h), and one that a test scripts, with a clock and a machine that the
// test controls (scripted_trial.h). On the judge's thread.
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/device_info.h"
#include "judge/call.h"
#include "judge/finding.h"
#include "judge/guards.h"
#include "judge/pool.h"

namespace hone::judge {

using Entries = std::vector<const Entry*>;
using UnseenInputs = std::vector<std::unique_ptr<Entry>>;

// Calls that were issued in one request, per call.
struct TimedCalls {
  double seconds = 0;        // by which the candidate is judged: see judged_seconds.h
  double judge_seconds = 0;  // by the judge's clock, as measured
};

// The same calls by two clocks.
struct ClockPair {
  double device = 0, judge = 0;  // seconds
};

struct TrialFacts {
  std::string case_name;
  core::ClockKind clock = core::ClockKind::device;
  bool has_host_code = false;  // of its own: it is Python
  bool can_remember = false;   // host code or native code can keep answers between calls
};

// Inputs beside the known ones that a candidate is called on in between, where it can remember; see
// sequence.h.
struct InputMix {
  Entries of_its_own;           // see is_drawn_whole
  Entries variants;             // that the task allows
  bool every_variant = false;   // is called at least once
  std::size_t new_batches = 0;  // batches in which every input is called for the first time
  Entries unchecked;  // drawn as a whole for single calls, one each; their results are not known
};

// Whether unseen inputs come with their expected values. Those without cost no call of the
// reference, and a candidate cannot tell them from the others: one that computes nothing on unseen
// inputs is wrong on those that are verified.
enum class Expected : std::uint8_t { computed, unknown };

// Which of the inputs that were made for a candidate are like no other; the rest are known ones
// with a few elements changed.
constexpr bool is_drawn_whole(std::size_t index) { return index % 2 == 0; }

class Trial {
 public:
  Trial(TrialFacts facts, const GuardSet& guards) : facts_(std::move(facts)), guards_(guards) {}
  virtual ~Trial() = default;
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  const TrialFacts& facts() const { return facts_; }
  const GuardSet& guards() const { return guards_; }
  // The inputs that calls are made on again and again. The candidate has met the first of them
  // before it is timed.
  const Entries& known() const { return known_; }
  const InputMix& mix() const { return mix_; }

  virtual base::Result<CallResult, Finding> call(const Entry& entry,
                                                 const CallOptions& options) = 0;
  // One verified call on each of these, issued in one request and timed together.
  virtual base::Result<TimedCalls, Finding> time(const Entries& entries) = 0;
  // As many unverified calls as this under both clocks; `seconds` is their limit.
  virtual base::Result<ClockPair, Finding> time_by_both_clocks(int calls, double seconds) = 0;

  // How many unseen inputs there is memory for. Where there is none, the last known input makes
  // room for one.
  virtual std::size_t room_for_unseen() = 0;
  // With unknown results fewer than `count` where memory is short.
  virtual base::Result<UnseenInputs, Finding> draw_unseen(std::size_t count, Expected expected) = 0;
  // Before inputs that were called go away.
  virtual void forget(const UnseenInputs& inputs) = 0;
  // Draws known inputs again that made room for unseen ones.
  virtual void restore_known(std::size_t count) = 0;

  // Why the time of calls in batches does not count beside that of calls alone; "": it does.
  virtual std::string overlap(double batched, double alone) = 0;

  virtual double now() const = 0;                               // the judge's clock, in seconds
  virtual std::uint64_t random_below(std::uint64_t bound) = 0;  // a secret of the judge's

 protected:
  void set_known(Entries entries) { known_ = std::move(entries); }
  void set_mix(InputMix mix) { mix_ = std::move(mix); }

 private:
  TrialFacts facts_;
  const GuardSet& guards_;
  Entries known_;
  InputMix mix_;
};

// Entries drawn at random, with repetition, so that a candidate cannot tell which answer would
// serve for which call.
Entries any_of(Trial& trial, const Entries& entries, std::size_t count);

inline std::vector<double> seconds_in(const std::vector<TimedCalls>& calls) {
  std::vector<double> seconds;
  for (const auto& one : calls) seconds.push_back(one.seconds);
  return seconds;
}

inline std::vector<double> judge_seconds_in(const std::vector<TimedCalls>& calls) {
  std::vector<double> seconds;
  for (const auto& one : calls) seconds.push_back(one.judge_seconds);
  return seconds;
}

}  // namespace hone::judge
