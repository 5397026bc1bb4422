// Few warps are a defect only where they are too few to hide the latency that is there: kernels
// that keep the tensor cores busy from one or two warp groups, or whose warps already issue in most
// cycles, are right with few.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "profile/builtin.h"
#include "profile/gains.h"
#include "profile/limits.h"
#include "profile/stall_reading.h"
#include "profile/tags.h"
#include "profile/words.h"

namespace hone::profile {
namespace {

constexpr std::string_view name = "occupancy";
// With more than three quarters of the slots, one block more can hardly change the throughput.
constexpr double few = 0.75;
// Added warps that help, at the least: latency grows with the load they make.
constexpr double least_help = 1.0 / 3;
// A scheduler that has a warp to issue in half of its cycles gains little from more of them.
constexpr double hidden = 0.5;
// Above this a unit, not the number of warps, sets the time.
constexpr double unit_is_busy = 0.7;
// Waits that more warps hide; a barrier or a fence they do not.
const std::vector<std::string_view> latencies{"long_scoreboard",  "short_scoreboard", "wait",
                                              "branch_resolving", "no_instruction",   "imc_miss"};
constexpr double least_latency = 0.4;  // of the warps' cycles
// Blocks that were there to be run: below it the grid is what is too small, which another tool
// says.
constexpr double enough_of_theory = 0.8;

struct Limits {
  std::string binding;     // the resource that allows fewest blocks
  double blocks = 0;       // that it allows
  double next_blocks = 0;  // that the others would allow
};
// A kernel that takes both to the same limit was made for that many blocks; the other limits go
// with the block's size.
bool is_of_the_code(std::string_view resource) {
  return resource == "registers" || resource == "shared";
}

Limits limits_of(const Facts& facts) {
  Limits limits{.blocks = 1e9, .next_blocks = 1e9};
  const auto all = facts.metrics.under(tag::limit, facts.launch);
  for (const auto& [resource, blocks] : all)
    if (blocks < limits.blocks) {
      limits.blocks = blocks;
      limits.binding = resource;
    }
  for (const auto& [resource, blocks] : all)
    if (blocks > limits.blocks ||
        (resource != limits.binding && is_of_the_code(resource) && is_of_the_code(limits.binding)))
      limits.next_blocks = std::min(limits.next_blocks, blocks);
  return limits;
}

std::string remedy(const Facts& facts, const Limits& limits, double wanted) {
  const double threads = threads_of(facts);
  const double registers = facts.get(tag::registers).value_or(0);
  const double shared =
      facts.get(tag::shared_static).value_or(0) + facts.get(tag::shared_dynamic).value_or(0);
  if (limits.binding == "registers")
    return fmt::format(
        "`__launch_bounds__({:.0f}, {:.0f})` holds it to {:.0f} registers instead of {:.0f} for "
        "{:.0f} blocks an SM; if that spills, let each thread keep a smaller tile",
        threads, wanted, std::floor(registers_of_sm(facts.device) / (wanted * threads) / 8) * 8,
        registers, wanted);
  if (limits.binding == "shared")
    return fmt::format(
        "Bring the block's shared memory from {} to at most {}, for {:.0f} blocks an SM: fewer "
        "stages, a smaller tile, or a buffer used twice",
        bytes_text(shared), bytes_text(std::floor(shared_of_sm(facts.device) / wanted) - 1024),
        wanted);
  if (limits.binding == "blocks")
    return fmt::format(
        "Make blocks larger: {} leaves warp slots empty when an SM is full of blocks",
        block_text(facts));
  if (limits.binding == "warps")
    return fmt::format(
        "Choose a block that divides the {} warp slots of an SM evenly instead of {}",
        warp_slots(facts.device), block_text(facts));
  return fmt::format("Use fewer named barriers, or smaller blocks than {}", block_text(facts));
}

std::optional<core::Advice> look(const Facts& facts) {
  const double theory = *facts.get(tag::occupancy_theory), achieved = *facts.get(tag::occupancy);
  const double issue = *facts.get(tag::issue_fraction);
  if (theory >= few || achieved < enough_of_theory * theory || issue >= hidden || uses_wgmma(facts))
    return std::nullopt;
  const double latency = stalls(facts, latencies);
  if (busiest(facts) >= unit_is_busy || latency < least_latency) return std::nullopt;
  const auto limits = limits_of(facts);
  const double threads = threads_of(facts);
  if (limits.binding.empty() || threads <= 0) return std::nullopt;
  const double warps = std::ceil(threads / 32), slots = warp_slots(facts.device);
  // As many blocks as fill the slots, or as the next resource allows. A thread can seldom do with
  // less than half of its registers.
  const double fill = limits.binding == "registers"
                          ? std::min(2 * limits.blocks, std::floor(slots / warps))
                          : std::floor(slots / warps);
  const double wanted = std::min({limits.next_blocks, std::max(limits.blocks + 1, fill)});
  const double reach = std::min(1.0, limits.binding == "blocks" ? 1.0 : wanted * warps / slots);
  if (reach <= theory) return std::nullopt;
  auto advice = advise(facts, name, fmt::format("Occupancy is limited by {}", limits.binding),
                       where_stalled(facts, latencies));
  advice.evidence = fmt::format(
      "An SM holds {:.0f} blocks of {:.0f} threads, {} of its warp slots (looked at below {}), "
      "because of {}; schedulers issue in {} of the cycles (below {}), the busiest unit is {} "
      "busy, and {} of the warps' cycles are latency that more warps would hide.",
      limits.blocks, threads, percent(theory), percent(few), limits.binding, percent(issue),
      percent(hidden), percent(busiest(facts)), percent(latency));
  advice.cause = fmt::format(
      "Too few warps are resident to hide the latency, and {} keep more out.",
      limits.binding == "shared" ? "the bytes of shared memory a block takes" : limits.binding);
  advice.recommendation = remedy(facts, limits, wanted) +
                          ". Where that costs reuse, rather give each warp more independent work.";
  const double next = busiest(facts);
  const double all = std::max({theory / reach, 1 - latency, next});
  const double some =
      std::max({theory / (theory + (reach - theory) * least_help), 1 - latency / 2, next});
  return worth(
      std::move(advice), gain_if(facts, some, all),
      fmt::format("By Little's law throughput grows with the warps in flight, from {} to {} of the "
                  "slots, until latency is hidden or the busiest unit ({}) is the limit; at the "
                  "low end a third of the added warps help, since latency grows with the load.",
                  percent(theory), percent(reach), percent(next)));
}

}  // namespace

Tool builtin::occupancy() {
  return {name,
          "Too few resident warps to hide latency, and the resource that keeps more out.",
          {core::Bound::latency, core::Bound::memory, core::Bound::compute},
          Hardware::nvidia,
          false,
          {tag::occupancy, tag::occupancy_theory, tag::issue_fraction, "kernel.limit.registers",
           "kernel.stall.long_scoreboard"},
          "theoretical occupancy below 75 % and at least 80 % of it reached, issue slots below 50 "
          "%, no unit above 70 %, at least 40 % of the warps' cycles in latency; not with wgmma, "
          "which needs no occupancy",
          look};
}

}  // namespace hone::profile
