// Warps that wait for data from global (or local) memory: not enough loads under way before the
// first is used. In a kernel that is fed by bulk copies the same stall is the wait at the full
// barrier.
#include <fmt/format.h>

#include <algorithm>

#include "profile/builtin.h"
#include "profile/limits.h"
#include "profile/stall_reading.h"
#include "profile/tags.h"

namespace hone::profile {
namespace {

constexpr std::string_view name = "long-scoreboard";
// Every kernel that reads memory waits for it somewhat; a third of all cycles is more than the
// loop's own work hides.
constexpr double least = 0.3;

// Of the memory's ceiling: from here on the loads wait because the memory is busy.
constexpr double memory_is_busy = 0.75;

std::optional<core::Advice> look(const Facts& facts) {
  if (!is_the_wait(facts, "long_scoreboard", least) ||
      memory_of_ceiling(facts).value_or(0) >= memory_is_busy)
    return std::nullopt;
  const double local = facts.get(tag::local_loads).value_or(0);
  if (local > facts.get(tag::load_requests).value_or(0))
    return std::nullopt;  // spills: another tool's
  StallReading reading{name, "long_scoreboard", "for data from memory", least};
  reading.place = where_stalled(facts, {"long_scoreboard"});
  const bool fed =
      uses_wgmma(facts) ||
      facts.get(tag::sass_bulk_tensor).value_or(0) + facts.get(tag::sass_bulk).value_or(0) > 0;
  if (fed) {
    reading.title = "Consumers wait for the copies";
    reading.cause = "The copies are not far enough ahead of the warps that use them.";
    reading.recommendation = fmt::format(
        "Let the producer run further ahead: more or smaller stages, copies issued before the wait "
        "rather than after it, and the slot released as soon as its last read is done; the waits "
        "are {}.",
        reading.place.text);
  } else {
    reading.title = "Warps wait for loads from memory";
    reading.cause = "Each warp has too few loads under way before it needs the first of them.";
    reading.recommendation = fmt::format(
        "Issue several independent loads before the first use (unroll the loop by 4 and load into "
        "separate registers, or load the next step's data before working on this one's){}; the "
        "waits are {}.",
        architecture(facts.device) >= 80 && !uses_async_copy(facts)
            ? ", or bring them in by cp.async"
            : "",
        reading.place.text);
  }
  if (const auto hit = facts.get(tag::l1_hit))
    reading.also =
        fmt::format("L1 answers {} of the sectors{}.", percent(*hit),
                    facts.get(tag::l2_hit)
                        ? fmt::format(", L2 {} of the rest", percent(*facts.get(tag::l2_hit)))
                        : "");
  auto advice = stall_advice(facts, std::move(reading));
  if (!advice || !fed) return advice;
  // Copies that come late because caches and queues give no more are not helped by asking earlier,
  // and no counter tells.
  may_gain_nothing(
      *advice,
      "Where the copies are late by throughput and not by latency, asking earlier gains nothing.");
  return advice;
}

}  // namespace

Tool builtin::long_scoreboard() {
  return {name,
          "Warps that wait for data from memory.",
          {core::Bound::latency, core::Bound::memory, core::Bound::compute},
          Hardware::nvidia,
          false,
          {"kernel.stall.long_scoreboard", tag::issue_fraction, tag::memory_fraction},
          "at least 30 % of the warps' cycles, with a gain left before the busiest unit binds; not "
          "where local memory is what is read",
          look};
}

}  // namespace hone::profile
