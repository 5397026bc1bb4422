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

std::optional<core::Advice> look(const Facts& facts) {
  if (!is_the_wait(facts, "lg_throttle", least)) return std::nullopt;
  if (facts.get(tag::local_loads).value_or(0) > facts.get(tag::load_requests).value_or(0))
    return std::nullopt;  // spills
  const double accesses = facts.get(tag::load_requests).value_or(0) + facts.get(tag::store_requests).value_or(0);
  if (facts.get(tag::atomics).value_or(0) > accesses) return std::nullopt;  // atomics: another tool's
  StallReading reading{name, "lg_throttle", "for a place in the queue of global accesses", least};
  reading.place = where_stalled(facts, {"lg_throttle"});
  reading.title = "Too many small accesses to global memory";
  reading.cause = "Accesses to global memory are issued faster than L1 takes them.";
  reading.recommendation = fmt::format(
      "Move the same bytes with fewer instructions: 128-bit loads and stores (`float4`), and keep in registers or "
      "shared "
      "memory what is loaded more than once; the waits are {}.",
      reading.place.text);
  if (const auto sectors = facts.get(tag::load_sectors))
    reading.also = fmt::format("A load takes {:.1f} sectors.", *sectors);
  return stall_advice(facts, std::move(reading));
}

}  // namespace

Tool builtin::lg_throttle() {
  return {name,
          "The queue of global accesses is full.",
          {core::Bound::latency, core::Bound::memory, core::Bound::compute},
          Hardware::nvidia,
          false,
          {"kernel.stall.lg_throttle", tag::issue_fraction},
          "at least 15 % of the warps' cycles, with a gain left before the busiest unit binds; not where local memory "
          "or atomics fill the queue",
          look};
}

}  // namespace hone::profile
