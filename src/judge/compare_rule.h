#pragma once
// What the numbers of a comparison mean: the ratio with its interval, the word for it, when to
// stop, and how much longer it would take. Pure functions over the ratios of rounds, so that they
// can be tried on simulated ones; sampling is in compare.h.
//
// The unit is a round. Where the candidates are device code, a round is two half-rounds, between
// which the two processes exchange their candidates: two processes that run the same kernel differ
// by up to 0.3 µs for as long as they live, and over the two halves that cancels. What does not
// cancel (code that is placed anew by each load, drift, other programs) differs from round to
// round, so the spread of the rounds holds it.
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/device_info.h"
#include "core/stats.h"

namespace hone::judge {

struct CompareRule {
  double margin = 0.003;     // "same" means the whole interval within 1 ± margin
  double resolution = 3e-7;  // seconds: smaller differences are not claimed, whatever the interval
  int fewest_rounds = 3, most_rounds = 400;
  int calls_per_letter =
      2;  // a block is A B B A, each letter this many requests; one where a request has many calls
  double seconds = 3;  // of the judge's clock, over all cases
  bool exchange =
      true;  // a round is two blocks, between which the processes exchange their candidates
};
CompareRule compare_rule(core::ClockKind clock);
// For sides that hold state, which cannot change places: what differs between the two processes
// stays in the ratio, so the margin is larger.
CompareRule without_exchange(CompareRule rule);
// For sides whose scratch is not the same memory: where it lies moves times for as long as it lies
// there.
CompareRule with_memory_apart(CompareRule rule);
// As many rounds as this time allows.
CompareRule with_seconds(CompareRule rule, double seconds);
std::string describe(const CompareRule& rule);  // the stopping rule in a sentence

// The margin for kernels of this duration: never under what the clock can resolve.
double margin_for(const CompareRule& rule, double seconds);

// One case so far.
struct CaseRounds {
  std::vector<double> log_ratios;  // time of b over time of a, one for each round
  double seconds = 0;              // of a call of a, the median
};
using Rounds = std::vector<CaseRounds>;  // by case; all cases have as many rounds
// The margin for the geometric mean over cases: each case adds what it cannot resolve.
double margin_of_all(const CompareRule& rule, const Rounds& cases);

struct RatioEstimate {
  double log_ratio = 0;
  double standard_error = std::numeric_limits<double>::infinity();
  std::int64_t degrees = 0;
};
RatioEstimate estimate(std::span<const double> log_ratios);
// Of the geometric mean over cases. Processes and machine are common to the cases of a round, so
// their errors are not independent: it is the means of the rounds whose spread counts.
RatioEstimate estimate_of_all(const Rounds& cases);

// Looking again and again finds a difference sooner or later. So for a claim that one is faster the
// interval is looked at on a fixed schedule (after 3, 5, 8, 12, 18 ... rounds), and all looks but
// the last take 99.8 % instead of 99 %. Two that are the same are found so after any round: however
// often one looks, that makes no difference where there is none.
enum class Look : std::uint8_t { early, last };
core::Interval interval_of(const RatioEstimate& ratio, Look look);
// Faster and slower need a case that carries them: one whose own interval lies beyond its own
// margin on that side.
core::Comparison word_of(const CompareRule& rule, const Rounds& cases, Look look);

// The same where other programs cost the calls this share of their time: they may cost one side all
// of it, so a claim must be larger than that. `same` is not a claim.
double margin_when_busy(double share);  // what is added to the margin for a claim
core::Comparison word_when_busy(const CompareRule& rule, const Rounds& cases, double share);

enum class Stop : std::uint8_t { not_yet, decided, rounds, time };
std::string_view name_of(Stop stop);  // as comparisons are recorded
Stop stop_after(const CompareRule& rule, const Rounds& cases, double elapsed);

// Of a comparison that cannot tell: about how many seconds would, if the ratio is what it seems to
// be. Nothing: too long to wait for.
std::optional<double> seconds_needed(const CompareRule& rule, const Rounds& cases, double elapsed);

}  // namespace hone::judge
