// The queue to shared memory, special functions and dynamic branches is full.
#include <fmt/format.h>

#include <algorithm>

#include "profile/builtin.h"
#include "profile/limits.h"
#include "profile/stall_reading.h"
#include "profile/tags.h"

namespace hone::profile {
namespace {

constexpr std::string_view name = "mio-throttle";
constexpr double least = 0.15;  // a full queue already means several in a row; seldom seen in sound code

std::optional<core::Advice> look(const Facts& facts) {
  if (!is_the_wait(facts, "mio_throttle", least)) return std::nullopt;
  StallReading reading{name, "mio_throttle", "for a place in the queue to shared memory and special functions", least};
  reading.place = where_stalled(facts, {"mio_throttle"});
  reading.title = "Too many shared-memory instructions in a row";
  reading.cause = "Instructions for shared memory (or special functions) are issued faster than their queue empties.";
  const double narrow = facts.get("sass.load_shared.32").value_or(0),
               wide = facts.get("sass.load_shared.128").value_or(0);
  reading.recommendation = fmt::format(
      "Move the same bytes with fewer instructions: 128-bit shared loads (now {:.0f} of 32 bits and {:.0f} of 128), a "
      "larger "
      "tile in registers for each thread so that a loaded value is used more often, shuffles instead of shared memory "
      "within a warp; the waits are {}.",
      narrow, wide, reading.place.text);
  return stall_advice(facts, std::move(reading));
}

}  // namespace

Tool builtin::mio_throttle() {
  return {name,
          "The queue to shared memory and special functions is full.",
          {core::Bound::latency, core::Bound::compute, core::Bound::memory},
          Hardware::nvidia,
          false,
          {"kernel.stall.mio_throttle", tag::issue_fraction},
          "at least 15 % of the warps' cycles, with a gain left before the busiest unit binds",
          look};
}

}  // namespace hone::profile
