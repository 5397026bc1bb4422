#include "profile/stall_reading.h"

#include <fmt/format.h>

#include <algorithm>

#include "profile/gains.h"
#include "profile/limits.h"
#include "profile/tags.h"

namespace hone::profile {
namespace {

// A unit this busy is the limit itself, and the stalls are its queue.
constexpr double unit_is_full = 0.9;

}  // namespace

bool is_the_wait(const Facts& facts, std::string_view reason, double least) {
  return is_the_wait(facts, reason, least, busiest(facts));
}

bool is_the_wait(const Facts& facts, std::string_view reason, double least, double next_limit) {
  return stall(facts, reason) >= least && next_limit < unit_is_full;
}

std::optional<core::Advice> stall_advice(const Facts& facts, StallReading reading) {
  const double share = stall(facts, reading.reason);
  auto advice = advise(facts, reading.tool, std::move(reading.title), reading.place);
  advice.evidence = fmt::format(
      "{} of the warps' cycles between two instructions are spent waiting {} (looked at from {})",
      percent(share), reading.in_words, percent(reading.least));
  if (const auto cycles = facts.get(tag::stall_cycles))
    advice.evidence += fmt::format(", {:.1f} of {:.1f} cycles", share * *cycles, *cycles);
  advice.evidence +=
      fmt::format(", {}; the issue slots are {} used and the busiest unit {}.", reading.place.text,
                  percent(facts.get(tag::issue_fraction).value_or(0)), percent(busiest(facts)));
  if (!reading.also.empty()) advice.evidence += " " + reading.also;
  advice.cause = std::move(reading.cause);
  advice.recommendation = std::move(reading.recommendation);
  const double next = reading.next_limit.value_or(busiest(facts));
  return worth(std::move(advice), gain_without_stall(facts, share, next), stall_model(share, next));
}

void gain_up_to(core::Advice& advice, const Facts& facts, double rest, std::string_view why) {
  advice.gain.high = std::max(advice.gain.high, gain_if(facts, rest, rest).high);
  advice.model += fmt::format(" {}", why);
}

void may_gain_nothing(core::Advice& advice, std::string_view why) {
  advice.gain.low = 0;
  advice.severity = severity_of(advice.gain).value_or(core::Severity::note);
  advice.model += fmt::format(" {}", why);
}

bool uses_wgmma(const Facts& facts) {
  return facts.get(tag::sass_hgmma).value_or(0) + facts.get(tag::sass_utcmma).value_or(0) > 0;
}

bool uses_async_copy(const Facts& facts) {
  return facts.get(tag::sass_ldgsts).value_or(0) + facts.get(tag::sass_bulk).value_or(0) +
             facts.get(tag::sass_bulk_tensor).value_or(0) >
         0;
}

}  // namespace hone::profile
