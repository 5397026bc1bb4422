// Sums on a CPU that wait for themselves: each addition needs the one before it.
#include <fmt/format.h>

#include "profile/builtin.h"
#include "profile/cpu_reuse.h"
#include "profile/gains.h"
#include "profile/limits.h"
#include "profile/tags.h"
#include "profile/words.h"

namespace hone::profile {
namespace {

constexpr std::string_view name = "cpu-chain";
constexpr double near_ceiling = 0.7;  // of the roofline: nothing is left to gain
constexpr double least_chain = 1.5;

std::optional<core::Advice> look(const Facts& facts) {
  const double chain = *facts.get(tag::cpu_loop_chain);
  if (chain < least_chain || loads_too_much(facts) || floor_fraction(facts) >= near_ceiling)
    return std::nullopt;
  const auto place = where_hot(facts, {"+=", "fma", "mad", "fmax", "max"});
  auto advice = advise(facts, name, "Each operation waits for the one before it", place);
  advice.evidence = fmt::format(
      "By the dependences in the compiled code and the latencies of a usual core the innermost "
      "loops take {} as long as their instructions would (looked at from {}); the call reaches {} "
      "of the {} ceiling.",
      times(chain), times(least_chain), percent(floor_fraction(facts)),
      facts.roofline.ceiling.empty() ? "unknown" : facts.roofline.ceiling);
  advice.cause =
      "A sum or a maximum in one variable is a chain: an addition takes about four cycles, and the "
      "next cannot begin before.";
  advice.recommendation = fmt::format(
      "Keep four or more independent sums (or maxima) and join them behind the loop; each of them "
      "may be a vector; the chain is {}.",
      place.text);
  return worth(
      std::move(advice), gain_if(facts, (1 + 1 / chain) / 2, 1 / chain),
      "Without the chain the loops take what their instructions take (high end), half of that gain "
      "at the low end, since cores run other work meanwhile; never below the roofline.");
}

}  // namespace

Tool builtin::cpu_chain() {
  return {name,
          "Sums and maxima on a CPU whose every step waits for the one before it.",
          {core::Bound::compute, core::Bound::latency, core::Bound::memory},
          Hardware::cpu,
          false,
          {tag::cpu_loop_chain},
          "innermost loops at least 1.5 times as long by their dependences as by their "
          "instructions, and less than 70 % of the roofline reached",
          look};
}

}  // namespace hone::profile
