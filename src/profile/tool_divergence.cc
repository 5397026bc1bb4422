// Warps in which part of the threads is switched off.
#include <fmt/format.h>

#include <algorithm>

#include "profile/builtin.h"
#include "profile/gains.h"
#include "profile/limits.h"
#include "profile/stall_reading.h"
#include "profile/tags.h"
#include "profile/words.h"

namespace hone::profile {
namespace {

constexpr std::string_view name = "divergence";
constexpr double warp = 32;
constexpr double least_idle = 0.2;  // of the lanes; edges of a grid switch off a few percent
constexpr double least_wasted =
    0.2;  // of all issue slots: where few are used, lanes that are off cost little

std::optional<core::Advice> look(const Facts& facts) {
  const double active = *facts.get(tag::active_threads), idle = 1 - active / warp;
  const double issue = facts.get(tag::issue_fraction).value_or(0);
  if (idle < least_idle || uses_wgmma(facts) || idle * issue < least_wasted) return std::nullopt;
  const auto place = where(facts, {"branch_resolving", "selected", "wait"}, {"if", "while", "for"});
  auto advice = advise(facts, name, "Threads of a warp go different ways", place);
  advice.evidence = fmt::format(
      "An instruction runs for {:.1f} of {:.0f} threads on average: {} of the lanes are switched "
      "off (looked at from {}); issue slots are {} used, so that {} of all slots are wasted (from "
      "{}).",
      active, warp, percent(idle), percent(least_idle), percent(issue), percent(idle * issue),
      percent(least_wasted));
  advice.cause =
      "Threads of one warp take different branches or loop different numbers of times, one after "
      "the other.";
  advice.recommendation = fmt::format(
      "Let the condition be the same for a whole warp (sort or group the work by it, give a warp "
      "one row instead of a thread), or make the branches short enough to be selects; it shows {}.",
      place.text);
  const double next = std::max(memory_of_ceiling(facts).value_or(0), 0.0);
  const double high = std::max(1 - idle, next),
               low = std::max(1 - idle * std::max(issue, idle), next);
  return worth(std::move(advice), gain_if(facts, std::max(low, high), high),
               fmt::format("With all lanes at work {} of the instructions go; at the low end only "
                           "as far as issuing them is what takes the time.",
                           percent(idle)));
}

}  // namespace

Tool builtin::divergence() {
  return {name,
          "Warps whose threads go different ways.",
          {core::Bound::memory, core::Bound::compute, core::Bound::latency},
          Hardware::nvidia,
          false,
          {tag::active_threads},
          "at least 20 % of the lanes of executed instructions switched off, and of all issue "
          "slots wasted so; not with wgmma",
          look};
}

}  // namespace hone::profile
