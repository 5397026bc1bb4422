// Work-groups on a CPU: too few for its cores, too small to be worth handing out, or not even.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "profile/builtin.h"
#include "profile/gains.h"
#include "profile/limits.h"
#include "profile/tags.h"
#include "profile/words.h"

namespace hone::profile {
namespace {

constexpr std::string_view name = "cpu-work-groups";
constexpr double least_overhead = 0.1;  // of the launch
// What empty groups cost was measured with others at work, perhaps. Where it is more than this many
// times the launch itself, the launch refutes it.
constexpr double refuted = 1.25;
constexpr double bits_of_float = 32;

std::optional<core::Advice> look(const Facts& facts) {
  const double units = *facts.get(tag::cpu_units), groups = blocks_of(facts),
               threads = threads_of(facts);
  const double seconds = launch_seconds(facts);
  const double lanes = facts.get(tag::cpu_vector_bits).value_or(256) / bits_of_float;
  if (groups <= 0 || threads <= 0 || units < 1 || seconds <= 0) return std::nullopt;
  const double uneven = 1 - groups / (std::ceil(groups / units) * units);
  // 0 where it was not measured.
  const double starting = facts.ceilings.groups > 0 ? groups / facts.ceilings.groups : 0;
  const double overhead = starting / seconds > refuted ? 0 : std::min(1.0, starting / seconds);
  auto advice = advise(facts, name, "");
  std::optional<core::Interval> gain;
  std::string model;
  if (uneven >= least_overhead && groups < 8 * units) {
    advice.title = groups < units ? "Fewer work-groups than cores"
                                  : "Work-groups do not divide among the cores";
    advice.evidence = fmt::format(
        "{:.0f} work-groups on {:.0f} cores leave {} of them idle on average (looked at from {}).",
        groups, units, percent(uneven), percent(least_overhead));
    advice.cause = "The work is cut into a number of pieces that does not fit the number of cores.";
    advice.recommendation = fmt::format(
        "Cut it into a multiple of {:.0f} groups, several for each core: smaller groups than {}.",
        units, block_text(facts));
    gain = gain_if(facts, 1 - uneven / 2, 1 - uneven);
    model =
        "The time is that of the core with most groups; with an even number it falls to the "
        "average, half of that at the low end.";
  } else if (overhead >= least_overhead) {
    advice.title = "Work-groups are too small";
    advice.evidence = fmt::format(
        "{} groups of {:.0f} work-items: as many empty ones take {} on this device ({} each, "
        "measured with all cores), and the launch takes {} (looked at from {} of it).",
        count_text(groups), threads, seconds_text(starting),
        seconds_text(1 / facts.ceilings.groups), seconds_text(seconds), percent(least_overhead));
    advice.cause = "A group does so little that starting it is a good part of its time.";
    advice.recommendation = fmt::format(
        "Give a group at least {:.0f} times the work-items, or a work-item more elements, than {}.",
        std::ceil(overhead / least_overhead), block_text(facts));
    gain = gain_if(facts, 1 - overhead / 2, 1 - overhead);
    model =
        "The cost of starting groups goes, all of it at the high end, half of it at the low end, "
        "where cores do it while others wait for memory.";
  } else if (const auto* launch = launch_of(facts);
             launch != nullptr && threads >= lanes &&
             static_cast<double>(launch->block[0]) < lanes &&
             facts.get(tag::cpu_loop_bits).value_or(2 * bits_of_float) < 2 * bits_of_float) {
    const double width = static_cast<double>(launch->block[0]);
    advice.title = "The first dimension of the work-group is too short";
    advice.evidence = fmt::format(
        "The first dimension has {:.0f} work-items, less than the {:.0f} lanes of a vector; the "
        "inner loops' arithmetic is on {:.0f} bits at a time.",
        width, lanes, *facts.get(tag::cpu_loop_bits));
    advice.cause =
        "Vectors are made of neighbouring work-items of the first dimension, and there are too "
        "few.";
    advice.recommendation = fmt::format(
        "Let the first dimension of {} have at least {:.0f} work-items, along the contiguous "
        "dimension.",
        block_text(facts), lanes);
    gain = gain_if(facts, 1 - 0.1, std::max(1 / lanes * width, floor_fraction(facts)));
    model =
        "As many lanes as the first dimension fills; little at the low end, where the compiler "
        "finds other vectors.";
  }
  if (!gain) return std::nullopt;
  return worth(std::move(advice), *gain, model);
}

}  // namespace

Tool builtin::cpu_work_groups() {
  return {name,
          "Work-groups that do not suit the cores of a CPU.",
          {},
          Hardware::cpu,
          false,
          {tag::cpu_units},
          "cores idle for at least 10 % because of the number of groups, or at least 10 % of the "
          "time in starting them (by what empty ones take on this device), or a first dimension "
          "shorter than a vector",
          look};
}

}  // namespace hone::profile
