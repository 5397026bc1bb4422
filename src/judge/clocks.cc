#include "judge/clocks.h"

#include <fmt/format.h>

#include <algorithm>

namespace hone::judge {
namespace {

// The first batch lasts at least this long, so that starting and stopping it weigh little.
constexpr double batch_seconds = 0.005;
constexpr double most_calls_per_batch = 200, batch_growth = 4;
constexpr int most_clock_batches =
    6;  // a busy machine does not disagree six times by as much; a false clock does
constexpr int growing_batches = 3;  // of them each is longer than the one before
constexpr double clock_agreement = 0.2;
constexpr double clock_allowance = 5e-4;  // seconds for the message and the launches
constexpr double limit_factor = 100;

}  // namespace

base::Result<ClockPair, Finding> check_clocks(Trial& trial, double seconds, double limit) {
  double longer = 1;
  int calls = 0;
  ClockPair clocks;
  for (int attempt = 0; attempt < most_clock_batches;
       longer *= ++attempt < growing_batches ? batch_growth : 1) {
    calls = static_cast<int>(std::clamp(longer * batch_seconds / std::max(seconds, 1e-9), 1.0,
                                        longer * longer * most_calls_per_batch));
    const auto timed =
        trial.time_by_both_clocks(calls, limit + longer * batch_seconds * limit_factor);
    if (!timed) return base::Failure{timed.error()};
    clocks = *timed;
    // One batch that agrees is enough: a machine that is busy makes the judge's clock longer, and
    // no false clock can make it shorter.
    if (clocks.device >= (1 - clock_agreement) * (clocks.judge - clock_allowance)) return clocks;
  }
  return base::Failure{in_case(
      trial.facts().case_name,
      conviction(core::Outcome::cheating, Guard::judge_clock,
                 fmt::format("{} calls took {:.4g} s by the device's events but {:.4g} s by the "
                             "judge's clock: more than {:.0f} % apart, in {} batches",
                             calls, clocks.device, clocks.judge, 100 * clock_agreement,
                             most_clock_batches)))};
}

}  // namespace hone::judge
