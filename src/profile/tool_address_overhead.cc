// Integers and addresses: instructions that do not compute anything the task asks for.
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

constexpr std::string_view name = "address-overhead";
constexpr double least_per_access = 5;   // an unrolled loop with constant offsets needs one or two
constexpr double least_part = 0.35;      // of the instructions in the inner loops
constexpr double needed_per_access = 2;  // that remain
constexpr double least_issue = 0.4;      // of the slots: below it no warp waits for them

bool gives_integers(const core::Task& task) {
  return std::any_of(task.outputs.begin(), task.outputs.end(),
                     [](const core::Output& output) { return !core::is_float(output.dtype); });
}

std::optional<core::Advice> look(const Facts& facts) {
  const double per_access = *facts.get(tag::sass_address_per_access);
  const double issue =
      std::max(*facts.get(tag::issue_fraction), facts.get("kernel.pipe.alu").value_or(0));
  // Innermost loops that do no arithmetic beside code that does (a tile is filled) are not where
  // the work is; and where the task states no operations and gives integers, these may be what it
  // asks for.
  const auto all = code_mix(facts);
  auto mix = loop_mix(facts);
  if (mix.f32 + mix.f64 + mix.tensor <= 0 && all.f32 + all.f64 + all.tensor > 0) mix = all;
  if (facts.task != nullptr && facts.roofline.flops <= 0 && gives_integers(*facts.task))
    return std::nullopt;
  if (mix.total <= 0 || per_access < least_per_access || issue < least_issue) return std::nullopt;
  const double part = mix.integer / mix.total;
  if (part < least_part) return std::nullopt;
  const double removed = part * (1 - needed_per_access / per_access);
  const auto place = where(facts, {"selected", "wait", "math_pipe_throttle"}, {"%", "/"});
  auto advice = advise(facts, name, "Address arithmetic takes the issue slots", place);
  advice.evidence = fmt::format(
      "{:.1f} integer and address instructions stand for each access to memory in the inner loops "
      "(looked at from {:.0f}), {} of their instructions (from {}); issue slots or the integer "
      "pipe are {} used (from {}).",
      per_access, least_per_access, percent(part), percent(least_part), percent(issue),
      percent(least_issue));
  advice.cause =
      "Indices are worked out anew for each access, by multiplications, divisions or remainders.";
  advice.recommendation = fmt::format(
      "Take them out of the loop: advance pointers by a constant, make divisors powers of two or "
      "compile-time tunables, use 32-bit indices, unroll so that offsets become constants in the "
      "instruction; they are {}.",
      place.text);
  const double next = memory_of_ceiling(facts).value_or(0);
  // Divisions and index tests are moves, predicates, conversions and branches too: those come and
  // go with the integers.
  const double all_removed = mix.overhead / mix.total * (1 - needed_per_access / per_access);
  return worth(
      std::move(advice),
      gain_if(facts, std::max(1 - issue * removed, next), std::max(1 - all_removed, next)),
      fmt::format(
          "With two of them for an access {} of the instructions go, and the time with them as far "
          "as issuing takes it ({}) at the low end; at the high end their moves, tests and "
          "branches go too ({}), and what waits behind them, until the memory ({}) binds.",
          percent(removed), percent(issue), percent(all_removed), percent(next)));
}

}  // namespace

Tool builtin::address_overhead() {
  return {name,
          "Integer and address arithmetic that takes the issue slots.",
          {core::Bound::memory, core::Bound::compute, core::Bound::latency},
          Hardware::nvidia,
          false,
          {tag::sass_address_per_access, tag::issue_fraction},
          "at least 5 integer instructions for an access and 35 % of the inner loops, with issue "
          "slots or the integer pipe at least 40 % used",
          look};
}

}  // namespace hone::profile
