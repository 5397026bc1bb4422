// Exponentials, logarithms, roots, divisions: a quarter of the rate of multiply-adds or less.
#include <fmt/format.h>

#include <algorithm>

#include "profile/builtin.h"
#include "profile/gains.h"
#include "profile/instructions.h"
#include "profile/limits.h"
#include "profile/tags.h"
#include "profile/words.h"

namespace hone::profile {
namespace {

constexpr std::string_view name = "special-functions";
constexpr double least_pipe = 0.5;  // of the special-function unit's peak

std::optional<core::Advice> look(const Facts& facts) {
  const double special = *facts.get("kernel.pipe.xu");
  double second = memory_of_ceiling(facts).value_or(0);
  for (const auto& [pipe, fraction] : facts.metrics.under(tag::pipe, facts.launch))
    if (pipe != "xu" && pipe != "lsu") second = std::max(second, fraction);
  if (special < least_pipe || special < second) return std::nullopt;
  const auto place =
      where(facts, {"math_pipe_throttle", "mio_throttle", "short_scoreboard"},
            {"expf", "exp", "__expf", "logf", "sinf", "cosf", "tanhf", "powf", "rsqrtf", "sqrtf", "erff"});
  auto advice = advise(facts, name, "Special functions set the pace", place);
  advice.evidence = fmt::format(
      "The special-function unit is {} busy (looked at from {}), the next unit {}; {:.0f} of {:.0f} "
      "instructions of the inner loops are for it.",
      percent(special), percent(least_pipe), percent(second), loop_mix(facts).special, loop_mix(facts).total);
  advice.cause =
      "More exponentials, logarithms, roots, conversions or divisions are asked for than the one unit gives.";
  advice.recommendation = fmt::format(
      "Ask for fewer: fold factors so that `exp2f` is used without a multiplication by log2(e), divide once and "
      "multiply, skip "
      "rescaling that changes nothing, and compute a part of them by a polynomial on the fma pipe; they are {}.",
      place.text);
  const double limit = second / special;
  return worth(
      std::move(advice),
      gain_if(facts, 1 - special * (1 - std::max(0.75, limit)), 1 - special * (1 - std::max(0.5, limit))),
      fmt::format(
          "The time follows the unit ({}): with a quarter (low) to half (high) of its work elsewhere it falls in "
          "proportion, until the next unit ({}) binds.",
          percent(special), percent(second)));
}

}  // namespace

Tool builtin::special_functions() {
  return {name,
          "Special functions that set the pace.",
          {core::Bound::compute, core::Bound::latency, core::Bound::memory},
          Hardware::nvidia,
          false,
          {"kernel.pipe.xu", tag::sass_instructions},
          "the special-function unit at least 50 % busy and the busiest",
          look};
}

}  // namespace hone::profile
