// An array that is indexed by a value the compiler does not know lives in local memory, though
// nothing spills.
#include <fmt/format.h>

#include <algorithm>

#include "profile/builtin.h"
#include "profile/gains.h"
#include "profile/limits.h"
#include "profile/tags.h"
#include "profile/words.h"

namespace hone::profile {
namespace {

constexpr std::string_view name = "local-array";
constexpr double least_of_accesses = 0.05;  // of the memory instructions, as for spills

constexpr double sector_bytes = 32;

double sectors_of_own(const Facts& facts) {
  return facts.get(tag::load_requests).value_or(0) * facts.get(tag::load_sectors).value_or(0) +
         facts.get(tag::store_requests).value_or(0) * facts.get(tag::store_sectors).value_or(0);
}

std::optional<core::Advice> look(const Facts& facts) {
  if (facts.get(tag::spill_stores).value_or(0) + facts.get(tag::spill_loads).value_or(0) > 0)
    return std::nullopt;
  const double stack = facts.get(tag::stack).value_or(0);
  const double local = *facts.get(tag::local_loads) + *facts.get(tag::local_stores);
  const double global =
      facts.get(tag::load_requests).value_or(0) + facts.get(tag::store_requests).value_or(0);
  if (stack <= 0 || local <= 0 || local < least_of_accesses * (local + global)) return std::nullopt;
  const double part = local / (local + global);
  const double waiting = stalls(facts, {"long_scoreboard", "lg_throttle"}) * part;
  const auto place = where_stalled(facts, {"long_scoreboard", "lg_throttle"});
  auto advice = advise(facts, name, "An indexed array lives in local memory", place);
  advice.evidence = fmt::format(
      "Nothing spills, but a thread has a stack of {:.0f} bytes and {} of the accesses to memory "
      "are to local memory (looked at from {}); {} of the warps' cycles are waits for them.",
      stack, percent(part), percent(least_of_accesses), percent(waiting));
  advice.cause =
      "An array of the thread's own is indexed by a value that is not known when it is compiled, "
      "so it cannot be in registers.";
  advice.recommendation = fmt::format(
      "Make every index of the array a constant (unroll the loop over it whole, `#pragma unroll`), "
      "select with predicates, or put it into shared memory with one bank a thread; the waits are "
      "{}.",
      place.text);
  const double next = std::max(busiest_but_memory(facts), memory_after(facts, 1 - part));
  auto gain = gain_without_stall(facts, waiting, next);
  // Loads of the task's own stand in the same queues: at the high end the waits go with the
  // sectors, not the accesses.
  const double sectors = sectors_of_own(facts) * sector_bytes,
               bytes = facts.get(tag::local_bytes).value_or(0);
  const double traffic = bytes > 0 ? bytes / (bytes + sectors) : part;
  const double most = stalls(facts, {"long_scoreboard", "lg_throttle"}) * std::max(part, traffic);
  gain.high = std::max(gain.high, gain_without_stall(facts, most, next).high);
  return worth(std::move(advice), gain,
               stall_model(waiting, next) +
                   fmt::format(" At the high end they go with their part of the sectors ({}).",
                               percent(traffic)));
}

}  // namespace

Tool builtin::local_array() {
  return {name,
          "Arrays of a thread's own that are indexed dynamically and so live in memory.",
          {},
          Hardware::nvidia,
          false,
          {tag::stack, tag::local_loads, tag::local_stores},
          "a stack without spills, and at least 5 % of the accesses to memory are to local memory",
          look};
}

}  // namespace hone::profile
