// Warps whose threads touch more 32-byte sectors than their data fill.
#include <fmt/format.h>

#include <algorithm>

#include "profile/builtin.h"
#include "profile/gains.h"
#include "profile/limits.h"
#include "profile/tags.h"
#include "profile/words.h"

namespace hone::profile {
namespace {

constexpr std::string_view name = "uncoalesced";
// A misaligned but contiguous access takes one sector more than its four; twice that is a pattern.
constexpr double least_ratio = 1.5;

// From this share of the warps' cycles on there is nothing else to wait for.
constexpr double all_is_memory = 0.8;

// Whether most of the excess is the stores', by the counters.
bool mostly_stores(const Facts& facts) {
  const auto excess = [&](std::string_view requests, std::string_view sectors,
                          std::string_view ideal) {
    const double each = facts.get(sectors).value_or(0);
    return facts.get(requests).value_or(0) *
           std::max(0.0, each - std::max(1.0, facts.get(ideal).value_or(each)));
  };
  return excess(tag::store_requests, tag::store_sectors, tag::store_sectors_ideal) >
         excess(tag::load_requests, tag::load_sectors, tag::load_sectors_ideal);
}

std::optional<core::Advice> look(const Facts& facts) {
  const auto known = sectors_over_ideal(facts);
  if (!known || *known < least_ratio) return std::nullopt;
  // Atomics at scattered addresses count among a line's sectors, and are what the task asks for.
  if (facts.get(tag::atomics).value_or(0) > 0 &&
      counted_sectors_over_ideal(facts).value_or(1) < least_ratio)
    return std::nullopt;
  const double ratio = *known, excess = 1 - 1 / ratio;
  const bool of_stores = mostly_stores(facts);
  const auto place = where_stalled(facts, {"long_scoreboard", "lg_throttle", "drain"});
  auto advice =
      advise(facts, name,
             fmt::format("Uncoalesced {} of global memory", of_stores ? "stores" : "loads"), place);
  advice.evidence = fmt::format(
      "Loads take {:.1f} sectors a warp where {:.1f} would do, stores {:.1f} where {:.1f} would: "
      "{:.1f} times the sectors needed (looked at from {:.1f}); L1 is {} busy, L2 {}.",
      facts.get(tag::load_sectors).value_or(0), facts.get(tag::load_sectors_ideal).value_or(0),
      facts.get(tag::store_sectors).value_or(0), facts.get(tag::store_sectors_ideal).value_or(0),
      ratio, least_ratio, percent(facts.get(tag::l1_fraction).value_or(0)),
      percent(facts.get(tag::l2_fraction).value_or(0)));
  advice.cause = "Neighbouring threads of a warp touch addresses that are far apart.";
  advice.recommendation = fmt::format(
      "Let `threadIdx.x` run along the dimension that is contiguous in memory{}; where both sides "
      "cannot be, pass a tile through shared memory (padded by one column); the accesses are {}.",
      of_stores ? " for the stores too" : "", place.text);
  // The units that pass sectors do the less work; how much of the time they are, is at least how
  // busy they are.
  const double path =
      std::max({facts.get(tag::l1_fraction).value_or(0), facts.get(tag::l2_fraction).value_or(0),
                memory_of_ceiling(facts).value_or(0)});
  const double waits = stalls(facts, {"long_scoreboard", "lg_throttle", "mio_throttle", "drain"});
  const double next = std::max(busiest_but_memory(facts), memory_after(facts, 1 / ratio));
  // Waits for a path that is hardly used are latency, which does not shrink with the sectors.
  const double most = std::max(path, std::min(waits, 2 * path)),
               least = std::min(path, std::max(waits, path * path));
  const double high = most >= all_is_memory ? next : 1 - most * (1 - std::max(next, 1 / ratio));
  return worth(
      std::move(advice), gain_if(facts, std::max(1 - least * excess, next), std::max(high, next)),
      fmt::format("{} of the sectors would not be asked for. At the low end the smaller of the "
                  "memory's busy time ({}) and the waits for it ({}) shrinks with them; at the "
                  "high end the larger, and where that is {} or more of the time, all of it down "
                  "to the next limit ({}): what waits in a queue is gone with it.",
                  percent(excess), percent(path), percent(waits), percent(all_is_memory),
                  percent(next)));
}

}  // namespace

Tool builtin::uncoalesced() {
  return {name,
          "Warps that touch more sectors of memory than their data fill.",
          {core::Bound::memory, core::Bound::compute, core::Bound::latency},
          Hardware::nvidia,
          false,
          {tag::load_requests, tag::load_sectors, tag::load_sectors_ideal},
          "at least 1.5 times the sectors that the addresses need at best, over loads and stores; "
          "without source lines not where copies are asynchronous",
          look};
}

}  // namespace hone::profile
