// The queue of global and local accesses is full: too many small ones.
#include <fmt/format.h>

#include <algorithm>

#include "profile/builtin.h"
#include "profile/limits.h"
#include "profile/stall_reading.h"
#include "profile/tags.h"

namespace hone::profile {
namespace {

constexpr std::string_view name = "lg-throttle";
constexpr double least = 0.15;  // as for the other queue
constexpr double full = 0.8;    // of L1: near enough to what accesses of all kinds reach
constexpr double scattered =
    2;  // sectors over ideal: above it the pattern comes first, another tool's

std::optional<core::Advice> look(const Facts& facts) {
  // L1 may be full: that is the defect. What binds when it is not are the other units.
  const double beyond_l1 =
      std::max(facts.get(tag::l2_fraction).value_or(0), memory_of_ceiling(facts).value_or(0));
  const double l1 = facts.get(tag::l1_fraction).value_or(0);
  const double next = l1 > 0 && l1 >= facts.get(tag::memory_fraction).value_or(0)
                          ? std::max(busiest_but_memory(facts), beyond_l1)
                          : busiest(facts);
  if (!is_the_wait(facts, "lg_throttle", least, next)) return std::nullopt;
  if (facts.get(tag::local_loads).value_or(0) > facts.get(tag::load_requests).value_or(0))
    return std::nullopt;  // spills
  const double accesses =
      facts.get(tag::load_requests).value_or(0) + facts.get(tag::store_requests).value_or(0);
  if (facts.get(tag::atomics).value_or(0) > accesses)
    return std::nullopt;  // atomics: another tool's
  if (sectors_over_ideal(facts).value_or(1) > scattered) return std::nullopt;
  StallReading reading{name, "lg_throttle", "for a place in the queue of global accesses", least};
  reading.place = where_stalled(facts, {"lg_throttle"});
  reading.title = "Too many small accesses to global memory";
  reading.cause = "Accesses to global memory are issued faster than L1 takes them.";
  reading.recommendation = fmt::format(
      "Move the same bytes with fewer instructions: 128-bit loads and stores (`float4`), and keep "
      "in registers or shared memory what is loaded more than once; the waits are {}.",
      reading.place.text);
  if (const auto sectors = facts.get(tag::load_sectors))
    reading.also = fmt::format("A load takes {:.1f} sectors.", *sectors);
  reading.next_limit = next;
  auto advice = stall_advice(facts, std::move(reading));
  const double loads = facts.get(tag::load_requests).value_or(0),
               again = facts.get(tag::l1_hit).value_or(0);
  const double instructions = facts.get(tag::instructions).value_or(0);
  if (!advice || instructions <= 0 || l1 < full) return advice;
  // L1 sets the time. What it answers was loaded before: kept in registers that is neither queued
  // nor issued.
  const double left = issue_of_elapsed(facts) * (1 - std::min(1.0, loads / instructions) * again);
  const double rest = std::max({l1 * (1 - again), left, busiest_arithmetic(facts), beyond_l1});
  gain_up_to(*advice, facts, rest,
             fmt::format("At the high end what L1 answers ({} of the loads) is kept in registers "
                         "and not issued again.",
                         percent(again)));
  return advice;
}

}  // namespace

Tool builtin::lg_throttle() {
  return {name,
          "The queue of global accesses is full.",
          {core::Bound::latency, core::Bound::memory, core::Bound::compute},
          Hardware::nvidia,
          false,
          {"kernel.stall.lg_throttle", tag::issue_fraction},
          "at least 15 % of the warps' cycles, with a gain left before the busiest unit but L1 "
          "binds; not where local memory or atomics fill the queue, nor where loads touch more "
          "than twice the sectors they need",
          look};
}

}  // namespace hone::profile
