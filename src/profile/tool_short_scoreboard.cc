// Warps that wait for shared memory, special functions or other short variable latencies.
#include <fmt/format.h>

#include <algorithm>

#include "profile/builtin.h"
#include "profile/gains.h"
#include "profile/limits.h"
#include "profile/stall_reading.h"
#include "profile/tags.h"

namespace hone::profile {
namespace {

constexpr std::string_view name = "short-scoreboard";
constexpr double least =
    0.2;  // its latency is a tenth of memory's: a fifth of all cycles means many consecutive ones

constexpr double hidden_by_four = 0.75;  // of the latency, by four independent steps instead of one

std::optional<core::Advice> look(const Facts& facts) {
  if (!is_the_wait(facts, "short_scoreboard", least)) return std::nullopt;
  StallReading reading{name, "short_scoreboard",
                       "for shared memory, special functions or conversions", least};
  reading.place = where_stalled(facts, {"short_scoreboard"});
  const double special = facts.get("kernel.pipe.xu").value_or(0);
  const double shared = facts.get("sass.mix.load_shared").value_or(0);
  reading.title = special > facts.get("kernel.pipe.lsu").value_or(0)
                      ? "Warps wait for special functions"
                      : "Warps wait for shared memory";
  reading.cause =
      "A result of shared memory or of the special-function unit is used right after it was asked "
      "for.";
  reading.recommendation = fmt::format(
      "Let each thread work on several independent steps (four chains of look-ups, four sums), "
      "load the next step's operands into registers before working on this one's, use wider shared "
      "loads ({:.0f} of them in the code), and keep more results in registers; the waits are {}.",
      shared, reading.place.text);
  if (const auto ways = facts.get(tag::shared_load_ways))
    reading.also = fmt::format("Shared loads take {:.1f} times their ideal wavefronts.", *ways);
  auto advice = stall_advice(facts, std::move(reading));
  if (!advice) return advice;
  // Independent chains do not only fill these waits.
  const double latency = stalls(facts, {"short_scoreboard", "long_scoreboard", "wait"});
  const double rest = std::max(1 - hidden_by_four * latency, busiest(facts));
  advice->gain.high = std::max(advice->gain.high, gain_if(facts, rest, rest).high);
  advice->model += fmt::format(
      " Four independent steps a thread hide three quarters of all its latency ({}): the high end.",
      percent(latency));
  return advice;
}

}  // namespace

Tool builtin::short_scoreboard() {
  return {name,
          "Warps that wait for shared memory or special functions.",
          {core::Bound::latency, core::Bound::compute, core::Bound::memory},
          Hardware::nvidia,
          false,
          {"kernel.stall.short_scoreboard", tag::issue_fraction},
          "at least 20 % of the warps' cycles, with a gain left before the busiest unit binds",
          look};
}

}  // namespace hone::profile
