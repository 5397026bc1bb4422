// Numbers that are collected one by one: neighbouring work-items, or turns of a loop, touch
// addresses that are far apart.
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

constexpr std::string_view name = "cpu-gathers";
constexpr double near_ceiling = 0.7;  // of the roofline: nothing is left to gain
constexpr double bits_of_float = 32;
constexpr double floats_of_line = 16;  // of the caches: 64 bytes

core::Advice begun(const Facts& facts, std::string title, std::string what) {
  const auto place = where_hot(facts, {"["});
  auto advice = advise(facts, name, std::move(title), place);
  advice.evidence = fmt::format(
      "{}; the call reaches {} of the {} ceiling.", what, percent(floor_fraction(facts)),
      facts.roofline.ceiling.empty() ? "unknown" : facts.roofline.ceiling);
  advice.recommendation = fmt::format(
      "Let `get_global_id(0)` run along the contiguous dimension, or swap the loops so that the "
      "innermost one does; where that cannot be, work on a small block that stays in L1; the "
      "accesses are {}.",
      place.text);
  return advice;
}

std::optional<core::Advice> look(const Facts& facts) {
  const double gathers = facts.get(tag::cpu_loop_gathers).value_or(*facts.get(tag::cpu_gathers));
  if (floor_fraction(facts) >= near_ceiling) return std::nullopt;
  if (goes_by_rows(facts)) {
    auto advice =
        begun(facts, "A line of the caches is fetched for each number",
              fmt::format(
                  "Of the inner loops' accesses {} take a single number and go on by a line of the "
                  "caches or more, or by a distance that only the run knows (looked at from {})",
                  percent(*facts.get(tag::cpu_loop_strided)), percent(most_strided)));
    advice.cause =
        "Neighbouring work-items, or turns of the loop, touch addresses that are rows apart.";
    return worth(std::move(advice), gain_if(facts, 0.5, 1 / floats_of_line),
                 "A line of 64 bytes holds 16 numbers: at the high end all of the time is fetching "
                 "lines, of which one in 16 is left; at the low end half of it is, and all of that "
                 "goes but the task's own; never below the roofline.");
  }
  if (gathers <= 0) return std::nullopt;
  const double lanes = facts.get(tag::cpu_vector_bits).value_or(256) / bits_of_float;
  auto advice = begun(
      facts, "Vectors are gathered element by element",
      fmt::format(
          "The compiled code's inner loops have {:.0f} gathers or scatters (looked at from 1)",
          gathers));
  advice.cause =
      "Neighbouring work-items, which become the lanes of a vector, touch addresses that are far "
      "apart.";
  return worth(std::move(advice), gain_if(facts, 0.9, std::max(2 / lanes, floor_fraction(facts))),
               fmt::format("A gather of {:.0f} lanes takes as many loads as lanes, a vector load "
                           "one: at the high end nearly all of the time is gathers, at the low end "
                           "a tenth; never below the roofline.",
                           lanes));
}

}  // namespace

bool goes_by_rows(const Facts& facts) {
  return facts.get(tag::cpu_loop_strided).value_or(0) >= most_strided;
}

Tool builtin::cpu_gathers() {
  return {name,
          "Numbers that a CPU collects one by one, from addresses that are far apart.",
          {core::Bound::compute, core::Bound::latency, core::Bound::memory},
          Hardware::cpu,
          false,
          {tag::cpu_gathers},
          "gathers or scatters in the inner loops of the compiled code, or at least 75 % of their "
          "accesses to single numbers that lie a line of the caches or more apart from turn to "
          "turn, and less than 70 % of the roofline reached",
          look};
}

}  // namespace hone::profile
