// Fixed-latency dependencies: each instruction needs the one before it.
#include <fmt/format.h>

#include <algorithm>

#include "profile/builtin.h"
#include "profile/limits.h"
#include "profile/stall_reading.h"
#include "profile/tags.h"

namespace hone::profile {
namespace {

constexpr std::string_view name = "wait";
// Even independent instructions wait 1 to 2 cycles of every few; a third means chains of dependent ones.
constexpr double least = 0.35;

std::optional<core::Advice> look(const Facts& facts) {
  if (!is_the_wait(facts, "wait", least)) return std::nullopt;
  StallReading reading{name, "wait", "for the instruction before (a fixed latency)", least};
  reading.place = where_stalled(facts, {"wait"});
  reading.title = "Chains of dependent instructions";
  reading.cause =
      "Each instruction uses the result of the one before it, and too few warps are there to fill the gaps.";
  reading.recommendation = fmt::format(
      "Give each thread two to four independent chains (several accumulators, several elements a thread), then add "
      "them at "
      "the end; the waits are {}.",
      reading.place.text);
  return stall_advice(facts, std::move(reading));
}

}  // namespace

Tool builtin::wait_stall() {
  return {name,
          "Chains of dependent instructions.",
          {core::Bound::latency, core::Bound::compute},
          Hardware::nvidia,
          false,
          {"kernel.stall.wait", tag::issue_fraction},
          "at least 35 % of the warps' cycles, with a gain left before the busiest unit binds",
          look};
}

}  // namespace hone::profile
