// Warps that wait for their own code: it does not fit the instruction caches, or jumps about.
#include <fmt/format.h>

#include <algorithm>

#include "profile/builtin.h"
#include "profile/limits.h"
#include "profile/stall_reading.h"
#include "profile/tags.h"

namespace hone::profile {
namespace {

constexpr std::string_view name = "instruction-fetch";
constexpr double least = 0.15;  // straight code shows a few percent at its start

std::optional<core::Advice> look(const Facts& facts) {
  if (!is_the_wait(facts, "no_instruction", least)) return std::nullopt;
  StallReading reading{name, "no_instruction", "for instructions to be fetched", least};
  reading.place = where_stalled(facts, {"no_instruction"});
  reading.title = "Warps wait for their own code";
  reading.cause = fmt::format(
      "The code ({:.0f} instructions) does not stay in the instruction caches, or is too short to "
      "be worth fetching.",
      facts.get(tag::sass_instructions).value_or(0));
  reading.recommendation = fmt::format(
      "Unroll less (`#pragma unroll 4` instead of whole), keep rare paths out of the loop, and let "
      "warps of a block run the same path; the waits are {}.",
      reading.place.text);
  return stall_advice(facts, std::move(reading));
}

}  // namespace

Tool builtin::no_instruction() {
  return {name,
          "Code that does not stay in the instruction caches.",
          {core::Bound::latency, core::Bound::compute},
          Hardware::nvidia,
          false,
          {"kernel.stall.no_instruction", tag::issue_fraction},
          "at least 15 % of the warps' cycles, with a gain left before the busiest unit binds",
          look};
}

}  // namespace hone::profile
