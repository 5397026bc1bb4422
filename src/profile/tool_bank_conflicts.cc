// Threads of a warp that touch different rows of the same bank of shared memory, one after the
// other.
#include <fmt/format.h>

#include <algorithm>

#include "profile/builtin.h"
#include "profile/gains.h"
#include "profile/limits.h"
#include "profile/tags.h"
#include "profile/words.h"

namespace hone::profile {
namespace {

constexpr std::string_view name = "bank-conflicts";
constexpr double least_excess = 0.2;   // of the wavefronts: rows of odd length cost a few percent
constexpr double least_cycles = 0.03;  // of the launch's, spent on them

std::optional<core::Advice> look(const Facts& facts) {
  const double all = *facts.get(tag::shared_wavefronts), excess = *facts.get(tag::shared_excess);
  const double cycles = *facts.get(tag::kernel_cycles) *
                        static_cast<double>(std::max<std::int64_t>(facts.device.sm_count, 1));
  if (all <= 0 || cycles <= 0 || excess / all < least_excess) return std::nullopt;
  // An SM passes one wavefront a cycle.
  const double cost = std::min(1.0, excess / cycles);
  if (cost < least_cycles) return std::nullopt;
  const auto place = where_stalled(facts, {"short_scoreboard", "mio_throttle"});
  auto advice = advise(facts, name, "Bank conflicts in shared memory", place);
  advice.evidence = fmt::format(
      "{} of the wavefronts of shared memory are there because of conflicts (looked at from {}): "
      "loads take {:.1f} times their ideal, stores {:.1f}; at one a cycle on each SM they are {} "
      "of the launch's cycles (from {}).",
      percent(excess / all), percent(least_excess), facts.get(tag::shared_load_ways).value_or(1),
      facts.get(tag::shared_store_ways).value_or(1), percent(cost), percent(least_cycles));
  advice.cause = "Threads of one warp touch different addresses in the same of the 32 banks.";
  advice.recommendation = fmt::format(
      "Pad the row of the shared array by one element (`[32][33]` instead of `[32][32]`), or "
      "swizzle its column by the row (`col ^ row`), so that a column falls into 32 banks; the "
      "accesses are {}.",
      place.text);
  const double waits = stalls(facts, {"short_scoreboard", "mio_throttle"}) * excess / all;
  const double next =
      std::max(facts.get(tag::issue_fraction).value_or(0), memory_of_ceiling(facts).value_or(0));
  const double idle = 1 - facts.get(tag::issue_fraction).value_or(0);
  return worth(std::move(advice),
               gain_if(facts, std::max(1 - std::min(cost * idle, waits), next),
                       std::max(1 - std::max(cost, waits), next)),
               fmt::format("Without the extra wavefronts {} of the cycles go (or the waits for "
                           "them, {}) at the high end; at the low end only where the schedulers "
                           "had nothing else to issue, and no more than the waits.",
                           percent(cost), percent(waits)));
}

}  // namespace

Tool builtin::bank_conflicts() {
  return {name,
          "Accesses to shared memory that are served one after the other.",
          {core::Bound::memory, core::Bound::compute, core::Bound::latency},
          Hardware::nvidia,
          false,
          {tag::shared_wavefronts, tag::shared_excess, tag::kernel_cycles},
          "at least 20 % of the wavefronts are excess, and they are at least 3 % of the cycles",
          look};
}

}  // namespace hone::profile
