// Warps that were ready while another was chosen: the schedulers are the limit, so only fewer
// instructions help.
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

constexpr std::string_view name = "issue-bound";
constexpr double least = 0.2;      // of the warps' cycles: one in five is ready and not chosen
constexpr double issuing = 0.7;    // of the slots: below it some cycles have no warp ready
constexpr double short_body = 16;  // instructions of an innermost loop: what was unrolled has more

std::optional<core::Advice> look(const Facts& facts) {
  const double share = stall(facts, "not_selected"), issue = *facts.get(tag::issue_fraction);
  if (share < least || issue < issuing) return std::nullopt;
  const auto mix = loop_mix(facts);
  if (mix.total <= 0) return std::nullopt;
  const double overhead = mix.overhead / mix.total;
  // Unrolling leaves nothing of the overhead of a short loop; of other code half is seldom more
  // than can be had.
  const double loops = facts.get(tag::sass_loops).value_or(0);
  const bool can_unroll = mix.in_loops && loops > 0 && mix.total / loops <= short_body;
  const double most = can_unroll ? 1 : 0.5;
  const auto place = where_stalled(facts, {"selected", "not_selected"});
  auto advice = advise(facts, name, "The schedulers issue without a pause", place);
  advice.evidence = fmt::format(
      "Issue slots are {} used (looked at from {}) and {} of the warps' cycles are spent ready but "
      "not chosen (from {}); {} of the instructions in the innermost loops compute addresses, "
      "move, convert, compare or branch.",
      percent(issue), percent(issuing), percent(share), percent(least), percent(overhead));
  advice.cause =
      "More warps are ready than can be issued, so the number of instructions sets the time.";
  advice.recommendation = fmt::format(
      "Spend fewer instructions on each result: unroll so that addresses become constant offsets, "
      "load and store 128 bits, use packed arithmetic; more registers a thread cost nothing here, "
      "since warps are in plenty; most are issued {}.",
      place.text);
  return worth(
      std::move(advice), gain_if(facts, 1 - issue * overhead / 4, 1 - issue * overhead * most),
      fmt::format("The time follows the issue slots ({} used): without a quarter (low) to {} "
                  "(high) of the overhead, {} of all instructions, it falls in proportion.",
                  percent(issue), can_unroll ? "all" : "half", percent(overhead)));
}

}  // namespace

Tool builtin::not_selected() {
  return {name,
          "The schedulers are the limit: only fewer instructions help.",
          {core::Bound::compute, core::Bound::memory, core::Bound::latency},
          Hardware::nvidia,
          false,
          {"kernel.stall.not_selected", tag::issue_fraction, tag::sass_instructions},
          "issue slots at least 70 % used and at least 20 % of the warps' cycles ready but not "
          "selected",
          look};
}

}  // namespace hone::profile
