// Warps that wait for the others of their block, for their cluster, or for a wgmma group.
#include <fmt/format.h>

#include <algorithm>

#include "profile/builtin.h"
#include "profile/gains.h"
#include "profile/instructions.h"
#include "profile/limits.h"
#include "profile/stall_reading.h"
#include "profile/tags.h"

namespace hone::profile {
namespace {

constexpr std::string_view name = "barrier";
// With two barriers a step, warps of even work lose up to a tenth to them.
constexpr double least = 0.15;
// Of the instructions in the innermost loops: one in twenty-five is a step of a tree or a scan, not
// of a tile.
constexpr double often = 0.04;
constexpr double of_tiles = 4;      // barriers in the code: two around each of two loops over tiles
constexpr double all_given = 0.97;  // of an SM's registers, by one block

void explain_wgmma(StallReading& reading) {
  reading.cause =
      "Warp groups stand at a barrier or wait for their own products with nothing else to issue.";
  reading.recommendation = fmt::format(
      "Leave one wgmma group under way instead of waiting for all of them (`wgmma.wait_group 1`), "
      "and replace barriers of the block or cluster by mbarriers between those who really exchange "
      "data; the waits are {}.",
      reading.place.text);
}

void explain_warps(const Facts& facts, StallReading& reading) {
  reading.cause = fmt::format(
      "The {:.0f} warps of a block reach the barrier at different times, and the block has nothing "
      "else to do.",
      threads_of(facts) / 32);
  reading.recommendation = fmt::format(
      "Use one barrier a step instead of two (two buffers in shared memory, written while the "
      "other is read), smaller blocks than {} with more of them on an SM, or `__syncwarp` where "
      "only a warp exchanges data; the waits are {}.",
      block_text(facts), reading.place.text);
}

// Another group under way needs registers for its operands, unless all come from shared memory.
bool has_no_room_for_a_group(const Facts& facts) {
  return uses_wgmma(facts) && facts.get(tag::registers).value_or(0) * threads_of(facts) >=
                                  all_given * registers_of_sm(facts.device);
}

// Between barriers that follow each other closely nothing overlaps, and what is exchanged keeps
// shared memory busy.
void gain_all_waits(const Facts& facts, core::Advice& advice) {
  const double serial = stalls(facts, {"barrier", "long_scoreboard", "short_scoreboard"});
  const double rest =
      std::max({1 - serial, busiest_but_memory(facts), memory_of_ceiling(facts).value_or(0)});
  gain_up_to(advice, facts, rest,
             fmt::format("Barriers are many: at the high end the waits between them go with them "
                         "({} in all), until issuing, arithmetic or the memory binds.",
                         percent(serial)));
}

std::optional<core::Advice> look(const Facts& facts) {
  // Barriers keep a unit of their own busy, which the SM's throughput counts and the pipes do not.
  const double next =
      std::max({busiest_but_memory(facts), facts.get(tag::memory_fraction).value_or(0),
                memory_of_ceiling(facts).value_or(0)});
  if (!is_the_wait(facts, "barrier", least, next)) return std::nullopt;
  // Where barriers are few and loads are waited for longer, warps stand there for those who still
  // wait: the loads come first. In kernels of producers and consumers these are different warps,
  // and each wait has a cause of its own.
  const auto mix = loop_mix(facts);
  const bool many = facts.get(tag::sass_bar).value_or(0) > of_tiles ||
                    (mix.barrier > 0 && mix.barrier >= often * mix.total);
  if (!many && !uses_wgmma(facts) && stall(facts, "barrier") < stall(facts, "long_scoreboard"))
    return std::nullopt;
  StallReading reading{name, "barrier", "at a barrier", least};
  reading.next_limit = next;
  reading.place = where(facts, {"barrier"}, {"__syncthreads", "__syncthreads()", "barrier.sync"});
  reading.title = "Warps wait for each other at barriers";
  if (uses_wgmma(facts))
    explain_wgmma(reading);
  else
    explain_warps(facts, reading);
  reading.also = fmt::format("The code has {:.0f} barriers of the block and {:.0f} of the cluster.",
                             facts.get(tag::sass_bar).value_or(0),
                             facts.get(tag::sass_cluster_bar).value_or(0));
  const bool full = has_no_room_for_a_group(facts);
  if (full)
    reading.recommendation +=
        " The block has all registers of an SM: operands in registers leave no room for a second "
        "group, and the compiler then runs the products one by one (its remark C7512); read them "
        "from shared memory by descriptors.";
  auto advice = stall_advice(facts, std::move(reading));
  if (advice && full)
    may_gain_nothing(*advice, "Where registers leave no room for it, nothing is gained.");
  if (advice && many) gain_all_waits(facts, *advice);
  return advice;
}

}  // namespace

Tool builtin::barrier_stall() {
  return {name,
          "Warps that wait for each other.",
          {core::Bound::latency, core::Bound::compute, core::Bound::memory},
          Hardware::nvidia,
          false,
          {"kernel.stall.barrier", tag::issue_fraction},
          "at least 15 % of the warps' cycles and no fewer than wait for loads (unless barriers "
          "are many: more than four in the code, or one in 25 instructions of the inner loops), "
          "with a gain left before the busiest unit binds",
          look};
}

}  // namespace hone::profile
