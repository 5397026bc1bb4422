// Some SMs work on when others are done: blocks with different amounts of work.
#include <fmt/format.h>

#include <cmath>

#include "profile/builtin.h"
#include "profile/gains.h"
#include "profile/limits.h"
#include "profile/tags.h"
#include "profile/words.h"

namespace hone::profile {
namespace {

constexpr std::string_view name = "unbalanced-sms";
constexpr double in_company = 0.9;   // of the time, where an SM is not left with its last warps
constexpr double least_idle = 0.15;  // of the SMs' time; a wave's ragged end costs a few percent
constexpr double tail = 0.1;         // lost by the last wave: from there on another tool's

std::optional<core::Advice> look(const Facts& facts) {
  const double mean = *facts.get(tag::sm_active_mean), most = *facts.get(tag::sm_active_max);
  const double waves = facts.get(tag::waves).value_or(1),
               sms = static_cast<double>(facts.device.sm_count);
  if (most <= 0 || blocks_of(facts) < sms) return std::nullopt;
  const double idle = 1 - mean / most, by_tail = waves > 1 ? 1 - waves / std::ceil(waves) : 0;
  if (idle < least_idle || by_tail >= tail) return std::nullopt;
  auto advice =
      advise(facts, name, "Some SMs work on when others are done", where_stalled(facts, {}));
  advice.evidence = fmt::format(
      "The busiest SM was active for {} cycles, the average one for {}{}: {} of their time is idle "
      "(looked at from {}).",
      count_text(most), count_text(mean),
      facts.get(tag::sm_active_min)
          ? fmt::format(", the least for {}", count_text(*facts.get(tag::sm_active_min)))
          : "",
      percent(idle), percent(least_idle));
  advice.cause =
      "Blocks have different amounts of work, and the long ones are not spread or start late.";
  advice.recommendation = fmt::format(
      "Cut long pieces ({:.0f} blocks now) into equal ones, start the longest first, or let a "
      "fixed number of blocks fetch their next piece from a counter.",
      blocks_of(facts));
  return worth(
      std::move(advice), gain_if(facts, 1 - idle / 2, (1 - idle) * in_company),
      "If all SMs ended together, the time would fall from the busiest one's to the average; at "
      "the low end half of that is lost in handing out the work, at the high end a tenth more is "
      "gained, since the last warps on an SM hide less of each other's latency than a full one's.");
}

}  // namespace

Tool builtin::unbalanced() {
  return {name,
          "Work that is spread unevenly over the SMs.",
          {},
          Hardware::nvidia,
          false,
          {tag::sm_active_mean, tag::sm_active_max},
          "SMs idle for at least 15 % of the busiest one's time, with a block for every SM, and "
          "not by the last wave",
          look};
}

}  // namespace hone::profile
