// Every SM has blocks, but so few warps that latency is bare: the grid is too small for the device,
// not its resources.
#include <fmt/format.h>

#include <algorithm>

#include "profile/builtin.h"
#include "profile/gains.h"
#include "profile/limits.h"
#include "profile/stall_reading.h"
#include "profile/tags.h"
#include "profile/words.h"

namespace hone::profile {
namespace {

constexpr std::string_view name = "in-flight";
constexpr double few =
    0.25;  // of the warp slots; with fewer, a wait of 500 cycles is seldom hidden
constexpr double of_theory =
    0.6;  // of what resources allow: above it occupancy is the subject, another tool's
constexpr double unit_is_busy = 0.6;

std::optional<core::Advice> look(const Facts& facts) {
  const double achieved = *facts.get(tag::occupancy), theory = *facts.get(tag::occupancy_theory);
  const double blocks = blocks_of(facts), sms = static_cast<double>(facts.device.sm_count);
  if (achieved >= few || achieved > of_theory * theory || blocks <= 0.9 * sms) return std::nullopt;
  const double next = busiest(facts);
  if (next >= unit_is_busy || uses_wgmma(facts)) return std::nullopt;
  const double waits =
      stalls(facts, {"long_scoreboard", "short_scoreboard", "wait", "imc_miss", "no_instruction"});
  const auto place = where_stalled(facts, {"long_scoreboard", "short_scoreboard", "wait"});
  auto advice = advise(facts, name, "Too little work is under way", place);
  advice.evidence = fmt::format(
      "{:.0f} blocks of {:.0f} threads fill {} of the warp slots (looked at below {}), where "
      "resources would allow {}; no unit is busier than {}, and {} of the warps' cycles are "
      "latency that other warps could hide.",
      blocks, threads_of(facts), percent(achieved), percent(few), percent(theory), percent(next),
      percent(waits));
  advice.cause = "There are too few threads on each SM to cover the latency of what they wait for.";
  advice.recommendation = fmt::format(
      "Spread the work over more threads: larger blocks than {}, fewer elements a thread, or a "
      "split of the longest loop among warps; where that cannot be, let each thread have several "
      "independent loads under way; the waits are {}.",
      block_text(facts), place.text);
  // More warps, each with more loads under way, until a unit binds; at the low end twice the warps.
  const double all = std::max(next, 1 - waits);
  return worth(
      std::move(advice), gain_if(facts, std::max({0.5, 1 - waits / 2, all}), all),
      fmt::format("By Little's law throughput grows with the warps in flight until the busiest "
                  "unit ({}) or the waits ({}) are spent; at the low end with twice as many.",
                  percent(next), percent(waits)));
}

}  // namespace

Tool builtin::in_flight() {
  return {name,
          "Too few warps on each SM because the grid is small.",
          {core::Bound::latency, core::Bound::memory, core::Bound::compute},
          Hardware::nvidia,
          false,
          {tag::occupancy, tag::occupancy_theory, "kernel.stall.long_scoreboard"},
          "less than 25 % of the warp slots and of what resources allow at most 60 %, with a block "
          "for every SM and no unit above 60 %",
          look};
}

}  // namespace hone::profile
