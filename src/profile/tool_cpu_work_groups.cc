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

// How the work is cut, by the plan and the device's facts.
struct Cut {
  double units = 0, groups = 0, threads = 0, seconds = 0;
  double lanes = 0;  // numbers in a vector
};

Cut cut_of(const Facts& facts) {
  return {*facts.get(tag::cpu_units), blocks_of(facts), threads_of(facts), launch_seconds(facts),
          facts.get(tag::cpu_vector_bits).value_or(256) / bits_of_float};
}

// The part of the cores' time in which they have no group.
double idle_part(const Cut& cut) {
  return 1 - cut.groups / (std::ceil(cut.groups / cut.units) * cut.units);
}

// The part of the launch that starts groups; 0 where it was not measured.
double starting_part(const Facts& facts, const Cut& cut) {
  const double starting = facts.ceilings.groups > 0 ? cut.groups / facts.ceilings.groups : 0;
  return starting / cut.seconds > refuted ? 0 : std::min(1.0, starting / cut.seconds);
}

bool is_too_narrow(const Facts& facts, const Cut& cut) {
  const auto* launch = launch_of(facts);
  return launch != nullptr && cut.threads >= cut.lanes &&
         static_cast<double>(launch->block[0]) < cut.lanes &&
         facts.get(tag::cpu_loop_bits).value_or(2 * bits_of_float) < 2 * bits_of_float;
}

std::optional<core::Advice> uneven(const Facts& facts, const Cut& cut, core::Advice advice) {
  const double idle = idle_part(cut);
  advice.title = cut.groups < cut.units ? "Fewer work-groups than cores"
                                        : "Work-groups do not divide among the cores";
  advice.evidence = fmt::format(
      "{:.0f} work-groups on {:.0f} cores leave {} of them idle on average (looked at from {}).",
      cut.groups, cut.units, percent(idle), percent(least_overhead));
  advice.cause = "The work is cut into a number of pieces that does not fit the number of cores.";
  advice.recommendation = fmt::format(
      "Cut it into a multiple of {:.0f} groups, several for each core: smaller groups than {}.",
      cut.units, block_text(facts));
  return worth(std::move(advice), gain_if(facts, 1 - idle / 2, 1 - idle),
               "The time is that of the core with most groups; with an even number it falls to the "
               "average, half of that at the low end.");
}

std::optional<core::Advice> too_small(const Facts& facts, const Cut& cut, core::Advice advice) {
  const double overhead = starting_part(facts, cut);
  advice.title = "Work-groups are too small";
  advice.evidence = fmt::format(
      "{} groups of {:.0f} work-items: as many empty ones take {} on this device ({} each, "
      "measured with all cores), and the launch takes {} (looked at from {} of it).",
      count_text(cut.groups), cut.threads, seconds_text(cut.groups / facts.ceilings.groups),
      seconds_text(1 / facts.ceilings.groups), seconds_text(cut.seconds), percent(least_overhead));
  advice.cause = "A group does so little that starting it is a good part of its time.";
  advice.recommendation = fmt::format(
      "Give a group at least {:.0f} times the work-items, or a work-item more elements, than {}.",
      std::ceil(overhead / least_overhead), block_text(facts));
  return worth(std::move(advice), gain_if(facts, 1 - overhead / 2, 1 - overhead),
               "The cost of starting groups goes, all of it at the high end, half of it at the low "
               "end, where cores do it while others wait for memory.");
}

std::optional<core::Advice> too_narrow(const Facts& facts, const Cut& cut, core::Advice advice) {
  const double width = static_cast<double>(launch_of(facts)->block[0]);
  advice.title = "The first dimension of the work-group is too short";
  advice.evidence = fmt::format(
      "The first dimension has {:.0f} work-items, less than the {:.0f} lanes of a vector; the "
      "inner loops' arithmetic is on {:.0f} bits at a time.",
      width, cut.lanes, *facts.get(tag::cpu_loop_bits));
  advice.cause =
      "Vectors are made of neighbouring work-items of the first dimension, and there are too few.";
  advice.recommendation = fmt::format(
      "Let the first dimension of {} have at least {:.0f} work-items, along the contiguous "
      "dimension.",
      block_text(facts), cut.lanes);
  return worth(std::move(advice),
               gain_if(facts, 1 - 0.1, std::max(1 / cut.lanes * width, floor_fraction(facts))),
               "As many lanes as the first dimension fills; little at the low end, where the "
               "compiler finds other vectors.");
}

// One defect is named, the one whose remedy comes first: cores without work before groups that cost
// more than they do, and both before vectors.
std::optional<core::Advice> look(const Facts& facts) {
  const Cut cut = cut_of(facts);
  if (cut.groups <= 0 || cut.threads <= 0 || cut.units < 1 || cut.seconds <= 0) return std::nullopt;
  auto advice = advise(facts, name, "");
  if (idle_part(cut) >= least_overhead && cut.groups < 8 * cut.units)
    return uneven(facts, cut, std::move(advice));
  if (starting_part(facts, cut) >= least_overhead) return too_small(facts, cut, std::move(advice));
  if (is_too_narrow(facts, cut)) return too_narrow(facts, cut, std::move(advice));
  return std::nullopt;
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
