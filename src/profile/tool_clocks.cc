// Power or heat holds the clocks down: work that costs less energy runs faster.
#include <fmt/format.h>

#include "profile/builtin.h"
#include "profile/gains.h"
#include "profile/tags.h"
#include "profile/words.h"

namespace hone::profile {
namespace {

constexpr std::string_view name = "power-limited";
constexpr double least_throttled = 0.2;  // of the readings
constexpr double at_limit = 0.95;        // of the enforced power
constexpr double least_loss = 0.03;      // of the clock

std::optional<core::Advice> look(const Facts& facts) {
  const double load = *facts.get(tag::clock_load), most = *facts.get(tag::clock_most);
  const auto power = facts.get(tag::power), limit = facts.get(tag::power_limit);
  const double throttled = facts.get(tag::throttled).value_or(0);
  const bool by_power = power && limit && *limit > 0 && *power >= at_limit * *limit;
  if (most <= 0 || (throttled < least_throttled && !by_power)) return std::nullopt;
  const double loss = 1 - load / most;
  if (loss < least_loss) return std::nullopt;
  auto advice = advise(facts, name, "Power holds the clocks down");
  advice.evidence = fmt::format(
      "Under load the SMs run at {:.0f} of {:.0f} MHz, {} below the most (looked at from {}); {} "
      "of the readings were limited by power or heat{}.",
      load / 1e6, most / 1e6, percent(loss), percent(least_loss), percent(throttled),
      power && limit ? fmt::format(", at {:.0f} of {:.0f} W", *power, *limit) : "");
  advice.cause = "The call draws as much power as the device may, so its clocks fall.";
  advice.recommendation =
      "Spend less energy on the same result: move fewer bytes (reuse from registers and shared "
      "memory instead of L2 and DRAM), fewer instructions, no spinning warps. Compare only in "
      "interleaved samples: absolute times move with the temperature.";
  const bool memory = facts.diagnosis.bound == core::Bound::memory;
  auto found = worth(std::move(advice), gain_of_call(facts, 0, memory ? 0 : loss),
                     "At the most the clock would rise to its highest and the time fall in "
                     "proportion; memory has a clock of its own.");
  if (found) found->severity = core::Severity::minor;
  return found;
}

}  // namespace

Tool builtin::clocks() {
  return {name,
          "Clocks that power or heat holds down.",
          {},
          Hardware::nvidia,
          true,
          {tag::clock_load, tag::clock_most},
          "at least 20 % of the readings limited or power at 95 % of its limit, and clocks at "
          "least 3 % below the most; nothing to gain where memory is the limit",
          look};
}

}  // namespace hone::profile
