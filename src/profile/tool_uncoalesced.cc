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

struct Traffic {
  double sectors = 0, ideal = 0;
  double ratio() const { return ideal > 0 ? sectors / ideal : 1; }
};
// Threads that all read one address fill a sector badly, and still need one.
Traffic traffic_of(const Facts& facts, std::string_view requests, std::string_view sectors, std::string_view ideal) {
  const double count = facts.get(requests).value_or(0), each = facts.get(sectors).value_or(0);
  return {count * each, count * std::min(each, std::max(1.0, facts.get(ideal).value_or(each)))};
}

std::optional<core::Advice> look(const Facts& facts) {
  const auto loads = traffic_of(facts, tag::load_requests, tag::load_sectors, tag::load_sectors_ideal);
  const auto stores = traffic_of(facts, tag::store_requests, tag::store_sectors, tag::store_sectors_ideal);
  const Traffic all{loads.sectors + stores.sectors, loads.ideal + stores.ideal};
  if (all.ratio() < least_ratio) return std::nullopt;
  const double excess = 1 - 1 / all.ratio();
  const bool of_stores = stores.sectors - stores.ideal > loads.sectors - loads.ideal;
  const auto place = where_stalled(facts, {"long_scoreboard", "lg_throttle", "drain"});
  auto advice =
      advise(facts, name, fmt::format("Uncoalesced {} of global memory", of_stores ? "stores" : "loads"), place);
  advice.evidence = fmt::format(
      "Loads take {:.1f} sectors a warp where {:.1f} would do, stores {:.1f} where {:.1f} would: {:.1f} times the "
      "sectors "
      "needed (looked at from {:.1f}); L1 is {} busy, L2 {}.",
      facts.get(tag::load_sectors).value_or(0), facts.get(tag::load_sectors_ideal).value_or(0),
      facts.get(tag::store_sectors).value_or(0), facts.get(tag::store_sectors_ideal).value_or(0), all.ratio(),
      least_ratio, percent(facts.get(tag::l1_fraction).value_or(0)), percent(facts.get(tag::l2_fraction).value_or(0)));
  advice.cause = "Neighbouring threads of a warp touch addresses that are far apart.";
  advice.recommendation = fmt::format(
      "Let `threadIdx.x` run along the dimension that is contiguous in memory{}; where both sides cannot be, pass a "
      "tile "
      "through shared memory (padded by one column); the accesses are {}.",
      of_stores ? " for the stores too" : "", place.text);
  // The units that pass sectors do the less work; how much of the time they are, is at least how busy they are.
  const double path = std::max({facts.get(tag::l1_fraction).value_or(0), facts.get(tag::l2_fraction).value_or(0),
                                memory_of_ceiling(facts).value_or(0)});
  const double waits = stalls(facts, {"long_scoreboard", "lg_throttle"});
  const double next = std::max(busiest_but_memory(facts), memory_after(facts, 1 / all.ratio()));
  const double high = std::max(1 - std::max(path, waits) * excess, next);
  const double low = std::max(1 - std::min(path, std::max(waits, path * path)) * excess, next);
  return worth(
      std::move(advice), gain_if(facts, std::max(low, high), std::min(low, high)),
      fmt::format("{} of the sectors would not be asked for. At the high end all the time that is memory's (busy {} or "
                  "waited for {}) shrinks with them, at the low end the smaller of the two; never below the next "
                  "limit ({}).",
                  percent(excess), percent(path), percent(waits), percent(next)));
}

}  // namespace

Tool builtin::uncoalesced() {
  return {name,
          "Warps that touch more sectors of memory than their data fill.",
          {core::Bound::memory, core::Bound::compute, core::Bound::latency},
          Hardware::nvidia,
          false,
          {tag::load_requests, tag::load_sectors, tag::load_sectors_ideal},
          "at least 1.5 times the sectors that the access widths need, over loads and stores",
          look};
}

}  // namespace hone::profile
