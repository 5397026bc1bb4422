// Vectors that are collected element by element: neighbouring work-items read addresses that are far apart.
#include <fmt/format.h>

#include <algorithm>

#include "profile/builtin.h"
#include "profile/gains.h"
#include "profile/limits.h"
#include "profile/tags.h"
#include "profile/words.h"

namespace hone::profile {
namespace {

constexpr std::string_view name = "cpu-gathers";
constexpr double near_ceiling = 0.7;  // of the roofline: nothing is left to gain
constexpr double bits_of_float = 32;

std::optional<core::Advice> look(const Facts& facts) {
  const double gathers = facts.get(tag::cpu_loop_gathers).value_or(*facts.get(tag::cpu_gathers));
  if (gathers <= 0 || floor_fraction(facts) >= near_ceiling) return std::nullopt;
  const double lanes = facts.get(tag::cpu_vector_bits).value_or(256) / bits_of_float;
  const auto place = where_written(facts, {"get_global_id", "get_local_id"});
  auto advice = advise(facts, name, "Vectors are gathered element by element", place);
  advice.evidence = fmt::format(
      "The compiled code's inner loops have {:.0f} gathers or scatters (looked at from 1); the call reaches {} of the "
      "{} ceiling.",
      gathers, percent(floor_fraction(facts)), facts.roofline.ceiling.empty() ? "unknown" : facts.roofline.ceiling);
  advice.cause = "Neighbouring work-items, which become the lanes of a vector, touch addresses that are far apart.";
  advice.recommendation = fmt::format(
      "Let `get_global_id(0)` run along the contiguous dimension, or swap the loops so that the innermost one does; "
      "where that cannot be, "
      "work on a small block that stays in L1; the indices are {}.",
      place.text);
  return worth(std::move(advice), gain_if(facts, 0.9, std::max(2 / lanes, floor_fraction(facts))),
               fmt::format("A gather of {:.0f} lanes takes as many loads as lanes, a vector load one: at the high end "
                           "nearly all of the time is "
                           "gathers, at the low end a tenth; never below the roofline.",
                           lanes));
}

}  // namespace

Tool builtin::cpu_gathers() {
  return {name,
          "Vectors that are collected element by element.",
          {core::Bound::compute, core::Bound::latency, core::Bound::memory},
          Hardware::cpu,
          false,
          {tag::cpu_gathers},
          "gathers or scatters in the inner loops of the compiled code, and less than 70 % of the roofline reached",
          look};
}

}  // namespace hone::profile
