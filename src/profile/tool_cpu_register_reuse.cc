// Inner loops of a computing task that load about as much as they compute: values are not reused in
// registers.
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

constexpr std::string_view name = "cpu-register-reuse";
constexpr double near_ceiling = 0.7;  // of the roofline: nothing is left to gain
constexpr double blocked_loads =
    0.75;                            // four rows by two vectors: six loads for eight multiply-adds
constexpr double best_cycles = 0.5;  // for an arithmetic instruction, with two units

std::optional<core::Advice> look(const Facts& facts) {
  if (!loads_too_much(facts) || floor_fraction(facts) >= near_ceiling) return std::nullopt;
  const double loads = *facts.get(tag::cpu_loop_loads), cycles = *facts.get(tag::cpu_loop_cycles);
  const auto place = where_hot(facts, {"fma", "mad", "+="});
  auto advice = advise(facts, name, "Inner loops load about as much as they compute", place);
  advice.evidence = fmt::format(
      "In the innermost loops {:.2g} loads come with an arithmetic instruction (looked at from "
      "{:.2g}), which takes {:.2g} cycles by the model of a usual core, where {:.2g} is the least; "
      "the task is one of arithmetic, and {} of its {} ceiling is reached.",
      loads, most_loads, cycles, best_cycles, percent(floor_fraction(facts)),
      facts.roofline.ceiling);
  advice.cause =
      "A value is loaded for one operation and loaded again for the next; with few sums at a time "
      "each also waits for the one before it.";
  const auto tunables = tunables_text(facts);
  advice.recommendation = fmt::format(
      "Let a work-item compute a small tile of results in registers, such as 8 rows by 2 vectors: "
      "load each vector once, use it for all rows, and keep 8 or more independent sums; the loop's "
      "arithmetic is {}.{}",
      place.text, tunables.empty() ? "" : " If " + tunables + " set the tile, try them first.");
  return worth(
      std::move(advice),
      gain_if(facts, (1 + blocked_loads / loads) / 2,
              std::min(blocked_loads / loads, best_cycles / cycles)),
      fmt::format("High end: an arithmetic instruction takes {:.2g} cycles instead of {:.2g} (two "
                  "units, eight sums in flight); low end: only the loads shrink, to {:.2g} an "
                  "instruction, and half of the time is loading; never below the roofline.",
                  best_cycles, cycles, blocked_loads));
}

}  // namespace

bool loads_too_much(const Facts& facts) {
  const bool computing = !facts.roofline.ceiling.empty() && facts.roofline.ceiling != "memory";
  return computing && facts.get(tag::cpu_loop_loads).value_or(0) >= most_loads &&
         facts.get(tag::cpu_loop_cycles);
}

Tool builtin::cpu_register_reuse() {
  return {name,
          "Values that a CPU loads again and again instead of keeping them in registers.",
          {core::Bound::compute, core::Bound::latency},
          Hardware::cpu,
          false,
          {tag::cpu_loop_loads, tag::cpu_loop_cycles},
          "a task of arithmetic with at least 1.2 loads for an arithmetic instruction in the "
          "innermost loops, and less than 70 % of the roofline reached",
          look};
}

}  // namespace hone::profile
