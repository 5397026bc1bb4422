#pragma once
// Detects candidates that answer from memory: calls on inputs that were called before are compared
// with calls on unseen inputs. A busy machine makes calls slower, often every second one, and the
// first ones after a pause; it makes none faster. So a candidate that computes is fast on some
// unseen input sooner or later, and one that never is remembers.
#include <optional>
#include <span>
#include <vector>

#include "judge/timing.h"
#include "judge/trial.h"

namespace hone::judge {

constexpr std::size_t waking_requests =
    3;  // on known inputs after a pause, before times are believed
std::size_t most_unseen(
    core::ClockKind clock);           // unseen inputs, or batches with them, before a verdict
constexpr double replay_ratio = 0.5;  // an answer in less than this part of an unseen one's time is
                                      // remembered
// Less than this part of an unseen one's time is suspicious where the candidate can remember. Short
// calls by the judge's clock differ by more than that for other reasons, and are suspicious from
// replay_ratio on.
double suspicious_ratio(core::ClockKind clock, bool can_remember, double on_unseen);
// Whether calls on known inputs took less than that part of one on an unseen input. By the host's
// clock half a millisecond may be threads that were woken up, or not.
bool is_faster(core::ClockKind clock, double part, double on_known, double on_unseen);
// Whether three quarters of these calls on known inputs are remembered.
bool are_remembered(core::ClockKind clock, std::span<const double> on_known, double on_unseen);
// The time of a call on an unseen input, from the time per call of a batch in which `unseen` of
// `calls` are; the others take what is usual.
double seconds_on_unseen(double batch, double usual, std::size_t calls, std::size_t unseen);

struct UnseenCalls {
  std::vector<TimedCalls> first;  // the first call on each unseen input
  std::vector<double> again;      // the second call on it
  std::vector<double> known;      // calls in between, on inputs that were called before
  bool as_fast = false;           // one of them was as fast as usual: it computes

  double fastest() const;
};
struct UnseenQuestion {
  double usual = 0;  // seconds of a call on known inputs
  double on_unseen =
      0;  // of one on unseen inputs, as met before; 0: the fastest that is met decides
  std::size_t calls = 1;  // per batch, all of them on unseen inputs as far as there is memory
  std::size_t most_checked =
      1;  // of them are verified: the reference computes what is right for each
  bool several_at_once =
      true;  // drawn before the first call, where the first calls after a pause are slow
};
// Calls unseen inputs until one of them is about as fast as is usual on known ones.
base::Result<UnseenCalls, Finding> call_unseen(Trial& trial, const UnseenQuestion& question);

// The guard `replay` in an evaluation: times on inputs that were unseen then, and on the same
// inputs later.
GuardResult check_replay(Trial& trial, const Timing& timing, const std::vector<double>& unseen,
                         const std::vector<double>& seen, std::size_t calls);
// The same by what a batch with unseen inputs in it took.
GuardResult check_replay_in_batches(Trial& trial, const Timing& timing,
                                    const UnseenQuestion& question);
// The same where there were too few inputs to tell unseen from known.
GuardResult check_replay_on_few(Trial& trial, const Timing& timing);
// The guard `replay` in a comparison, which calls the same few inputs over and over: `compared` are
// the times it rests on.
MaybeFinding check_replay_in_comparison(Trial& trial, const std::vector<double>& compared,
                                        std::size_t calls);

}  // namespace hone::judge
