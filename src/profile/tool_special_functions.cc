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

// Instructions that come and go with each: an exponential is a product, a test for tiny arguments,
// two scalings and the unit's own.
constexpr double company = 5;
// A polynomial on another pipe takes over a quarter at once; powers of one value, or a division
// once for many, most.
constexpr double least_gone = 0.25, most_gone = 0.75;

// Accurate roots, divisions and kin take a dozen instructions around the unit's own: tests, Newton
// steps, a branch for the rare arguments. Then the issue slots are full long before the unit is.
constexpr double accurate_company = 12, least_part = 0.3, issue_is_full = 0.7;

std::optional<core::Advice> accurate_ones(const Facts& facts, double special) {
  const auto mix = loop_mix(facts);
  const double issue = issue_of_elapsed(facts);
  const double part = mix.total > 0 ? std::min(1.0, accurate_company * mix.special / mix.total) : 0;
  if (issue < issue_is_full || part < least_part || mix.f64 > 0) return std::nullopt;
  const auto place = where(facts, {"wait", "branch_resolving", "selected"},
                           {"sqrtf", "/", "rsqrtf", "powf", "logf"});
  auto advice = advise(facts, name, "Accurate roots and divisions fill the issue slots", place);
  advice.evidence = fmt::format(
      "{:.0f} of {:.0f} instructions of the inner loops are for the special-function unit, and an "
      "accurate root or division has about {:.0f} around each: {} of all (looked at from {}); "
      "issue slots are {} used (from {}), the unit itself is {} busy.",
      mix.special, mix.total, accurate_company, percent(part), percent(least_part), percent(issue),
      percent(issue_is_full), percent(special));
  advice.cause =
      "Each accurate root, division or logarithm is a dozen instructions, and they are in the "
      "inner loops.";
  advice.recommendation = fmt::format(
      "Take them out of the loop (compare squares and take one root at the end, divide once and "
      "multiply), or use `__fdividef`, `rsqrtf`, `__frcp_rn` and the like where the tolerance "
      "allows; they are {}.",
      place.text);
  return worth(
      std::move(advice), gain_if(facts, 1 - issue * part * least_gone, 1 - part),
      fmt::format(
          "The time follows the issue slots ({} used): with a quarter (low) of these instructions "
          "gone, or all of them with what waits behind them (high, {}), it falls in proportion.",
          percent(issue), percent(part)));
}

std::optional<core::Advice> look(const Facts& facts) {
  const double special = *facts.get("kernel.pipe.xu");
  double second = memory_of_ceiling(facts).value_or(0);
  for (const auto& [pipe, fraction] : facts.metrics.under(tag::pipe, facts.launch))
    if (pipe != "xu" && pipe != "lsu") second = std::max(second, fraction);
  if (special < least_pipe || special < second) return accurate_ones(facts, special);
  // Unintended conversions of doubles: another tool's.
  if (const auto mix = loop_mix(facts); mix.f64 > 0 && mix.convert > mix.special)
    return std::nullopt;
  const auto place = where(facts, {"math_pipe_throttle", "mio_throttle", "short_scoreboard"},
                           {"expf", "exp", "__expf", "logf", "sinf", "cosf", "tanhf", "powf",
                            "rsqrtf", "sqrtf", "erff"});
  auto advice = advise(facts, name, "Special functions set the pace", place);
  advice.evidence = fmt::format(
      "The special-function unit is {} busy (looked at from {}), the next unit {}; {:.0f} of "
      "{:.0f} instructions of the inner loops are for it.",
      percent(special), percent(least_pipe), percent(second), loop_mix(facts).special,
      loop_mix(facts).total);
  advice.cause =
      "More exponentials, logarithms, roots, conversions or divisions are asked for than the one "
      "unit gives.";
  advice.recommendation = fmt::format(
      "Ask for fewer: fold factors so that `exp2f` is used without a multiplication by log2(e), "
      "divide once and multiply, skip rescaling that changes nothing, and compute a part of them "
      "by a polynomial on the fma pipe; they are {}.",
      place.text);
  // What is left of the other units once a part of the special functions is gone, with the
  // instructions around each.
  const auto mix = loop_mix(facts);
  const auto rest = [&](double gone) {
    const double around = mix.total > 0 ? std::min(1.0, company * mix.special / mix.total) : 0;
    return std::max(
        special * (1 - gone),
        std::max(second, facts.get(tag::issue_fraction).value_or(0)) * (1 - gone * around));
  };
  return worth(
      std::move(advice),
      gain_if(facts,
              1 - special *
                      (1 - std::max(1 - least_gone, rest(least_gone) / std::max(special, rest(0)))),
              std::max(1 - special * most_gone, rest(most_gone))),
      fmt::format("The time follows the unit ({}): with a quarter (low) to three quarters (high) "
                  "of its work gone or elsewhere it falls in proportion, until the next unit ({}) "
                  "or the issue slots bind, of which each special function takes about {:.0f}.",
                  percent(special), percent(second), company));
}

}  // namespace

Tool builtin::special_functions() {
  return {name,
          "Special functions that set the pace.",
          {core::Bound::compute, core::Bound::latency, core::Bound::memory},
          Hardware::nvidia,
          false,
          {"kernel.pipe.xu", tag::sass_instructions},
          "the special-function unit at least 50 % busy and the busiest; or issue slots at least "
          "70 % used, and accurate roots and kin at least 30 % of the inner loops",
          look};
}

}  // namespace hone::profile
