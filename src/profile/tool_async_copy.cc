// Tiles that go from memory through registers into shared memory, with the block waiting for each.
#include <fmt/format.h>

#include <algorithm>

#include "profile/builtin.h"
#include "profile/gains.h"
#include "profile/instructions.h"
#include "profile/limits.h"
#include "profile/stall_reading.h"
#include "profile/tags.h"
#include "profile/words.h"

namespace hone::profile {
namespace {

constexpr std::string_view name = "async-copy";
constexpr int first_architecture = 80;  // cp.async
constexpr double least_waits = 0.2;     // of the warps' cycles, for memory

std::optional<core::Advice> look(const Facts& facts) {
  const auto mix = loop_mix(facts);
  if (architecture(facts.device) < first_architecture || uses_async_copy(facts))
    return std::nullopt;
  if (!mix.in_loops || mix.load_global <= 0 || mix.store_shared <= 0) return std::nullopt;
  const double waits = stall(facts, "long_scoreboard"), barrier = stall(facts, "barrier");
  if (waits < least_waits) return std::nullopt;
  const auto place = where(facts, {"long_scoreboard"}, {"__shared__"});
  auto advice = advise(facts, name, "Tiles are not copied ahead of their use", place);
  advice.evidence = fmt::format(
      "The inner loop loads from global memory and stores to shared memory ({:.0f} and {:.0f} "
      "instructions) without cp.async or a bulk copy; {} of the warps' cycles are waits for those "
      "loads (looked at from {}) and {} at barriers.",
      mix.load_global, mix.store_shared, percent(waits), percent(least_waits), percent(barrier));
  advice.cause = "The block loads a tile, waits for it, works on it, and only then loads the next.";
  advice.recommendation = fmt::format(
      "Keep two to four tiles in shared memory and copy the next ones while working on this one: "
      "{}; the waits are {}.",
      architecture(facts.device) >= 90 ? "`cp.async.bulk.tensor` with an mbarrier for each stage, "
                                         "or `cp.async` with `cp.async.wait_group`"
                                       : "`cp.async` with `cp.async.wait_group`",
      place.text);
  // What is hidden is at most what there is to hide it behind.
  const double work = 1 - std::min(1.0, waits + barrier), next = busiest(facts);
  const double high = std::max({1 - std::min(1.0, waits + barrier / 2), next});
  const double low = std::max({1 - std::min(waits, work) * (1 - waits), high, next});
  return worth(std::move(advice), gain_if(facts, low, high),
               fmt::format("Loading and working take the longer of the two instead of their sum: "
                           "at the low end as much as the work ({}) covers, at the high end all "
                           "the waits; never below the busiest unit ({}).",
                           percent(work), percent(next)));
}

}  // namespace

Tool builtin::async_copy() {
  return {name,
          "Tiles that are loaded only when they are needed.",
          {core::Bound::latency, core::Bound::compute, core::Bound::memory},
          Hardware::nvidia,
          false,
          {tag::sass_instructions, "kernel.stall.long_scoreboard"},
          "an inner loop that loads from global and stores to shared memory without cp.async or "
          "bulk copies, and at least 20 % of the warps' cycles waiting for memory",
          look};
}

}  // namespace hone::profile
