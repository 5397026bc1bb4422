// Calls of the scalar math library in the loops where a CPU's time goes.
#include <fmt/format.h>

#include <algorithm>

#include "profile/builtin.h"
#include "profile/cpu_reuse.h"
#include "profile/gains.h"
#include "profile/limits.h"
#include "profile/tags.h"
#include "profile/words.h"

namespace hone::profile {
namespace {

constexpr std::string_view name = "cpu-math-calls";
constexpr double near_ceiling = 0.7;  // of the roofline: nothing is left to gain
constexpr double bits_of_float = 32;

std::optional<core::Advice> look(const Facts& facts) {
  const double share = *facts.get(tag::cpu_loop_math);
  if (!calls_much(facts) || floor_fraction(facts) >= near_ceiling) return std::nullopt;
  const double lanes = std::max(1.0, facts.get(tag::cpu_vector_bits).value_or(256) / bits_of_float);
  const std::vector<std::string_view> functions{"exp", "log",  "pow", "sin",  "cos",
                                                "tan", "tanh", "erf", "fmod", "hypot"};
  auto place = where_hot(facts, functions);
  if (word_in(facts, place, functions).empty()) place = where_written(facts, functions);
  auto advice = advise(facts, name, "The math library is called for each number", place);
  advice.evidence = fmt::format(
      "The innermost loops of the compiled code call the scalar math library, {} of their "
      "instructions at 40 a call (an estimate; looked at from {}); the call reaches {} of the {} "
      "ceiling.",
      percent(share), percent(least_math), percent(floor_fraction(facts)),
      facts.roofline.ceiling.empty() ? "unknown" : facts.roofline.ceiling);
  advice.cause =
      "A call takes one number at a time, and keeps the loop around it from being put on vectors.";
  advice.recommendation = fmt::format(
      "Use the function on vectors (`exp(float16)`), its `native_` form where the tolerance "
      "allows, or a short polynomial; compute what does not change before the loop; the calls are "
      "{}.",
      place.text);
  return worth(std::move(advice), gain_if(facts, 1 - share / 3, 1 - share + share / lanes),
               fmt::format("The calls' part ({}) shrinks by the {:.0f} lanes at the high end, by a "
                           "third at the low end; never below the roofline.",
                           percent(share), lanes));
}

}  // namespace

bool calls_much(const Facts& facts) {
  return facts.get(tag::cpu_loop_math).value_or(0) >= least_math;
}

Tool builtin::cpu_math_calls() {
  return {name,
          "Calls of the scalar math library in a CPU's inner loops.",
          {core::Bound::compute, core::Bound::latency, core::Bound::memory},
          Hardware::cpu,
          false,
          {tag::cpu_loop_math},
          "at least 20 % of the innermost loops' instructions in the math library, at 40 a call, "
          "and less than 70 % of the roofline reached",
          look};
}

}  // namespace hone::profile
