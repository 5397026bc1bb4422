// Fixed-latency dependencies: each instruction needs the one before it.
#include <fmt/format.h>

#include <algorithm>

#include "profile/builtin.h"
#include "profile/gains.h"
#include "profile/limits.h"
#include "profile/stall_reading.h"
#include "profile/tags.h"

namespace hone::profile {
namespace {

constexpr std::string_view name = "wait";
constexpr double least = 0.3;  // of the warps' cycles
// Waits for a fixed latency over issues: an arithmetic instruction takes four cycles, so that one
// which needs the result before it waits three for each issue, and independent ones less than one:
// half of them are chained from here.
constexpr double chained = 1.5;

std::optional<core::Advice> look(const Facts& facts) {
  const double selected = stall(facts, "selected"), share = stall(facts, "wait");
  if (!is_the_wait(facts, "wait", least) || share < chained * selected) return std::nullopt;
  StallReading reading{name, "wait", "for the instruction before (a fixed latency)", least};
  reading.place = where_stalled(facts, {"wait"});
  reading.title = "Chains of dependent instructions";
  reading.cause =
      "Each instruction uses the result of the one before it, and too few warps are there to fill "
      "the gaps.";
  reading.recommendation = fmt::format(
      "Give each thread two to four independent chains (several accumulators, several elements a "
      "thread), then add them at the end; the waits are {}.",
      reading.place.text);
  auto advice = stall_advice(facts, std::move(reading));
  if (!advice) return advice;
  // Several elements a thread bring their loads along: what is waited for is waited for by all of
  // them at once.
  const double latency = stalls(facts, {"wait", "long_scoreboard", "short_scoreboard"}),
               next = busiest(facts);
  return worth(
      std::move(*advice),
      gain_if(facts, std::max(1 - latency / 2, (1 + next) / 2), std::max(1 - latency, next)),
      fmt::format("Two chains a thread, with their loads, wait once instead of twice: half of the "
                  "latency ({}) goes (low); with as many as it takes all of it, until the next "
                  "limit ({}) binds (high).",
                  percent(latency), percent(next)));
}

}  // namespace

Tool builtin::wait_stall() {
  return {name,
          "Chains of dependent instructions.",
          {core::Bound::latency, core::Bound::compute},
          Hardware::nvidia,
          false,
          {"kernel.stall.wait", tag::issue_fraction},
          "at least 30 % of the warps' cycles and twice as many as issue, with a gain left before "
          "the busiest unit binds",
          look};
}

}  // namespace hone::profile
