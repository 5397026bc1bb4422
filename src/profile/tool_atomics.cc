// Atomics that meet at few addresses and are done one after the other.
#include <fmt/format.h>

#include <algorithm>

#include "profile/builtin.h"
#include "profile/gains.h"
#include "profile/limits.h"
#include "profile/tags.h"
#include "profile/words.h"

namespace hone::profile {
namespace {

constexpr std::string_view name = "atomics";
constexpr double warp = 32;
// If all met at one address, one a cycle: the part of the time from which on it is worth a look.
constexpr double least_serial = 0.2;
// Of the accesses to global memory: one atomic for a block's partial result is far below.
constexpr double least_of_accesses = 0.1;
constexpr double spread =
    0.5;  // L2 busier than this: the atomics are spread over it, and it is full
constexpr double least_waits = 0.25;  // of the warps' cycles

std::optional<core::Advice> look(const Facts& facts) {
  const double atomics = *facts.get(tag::atomics), cycles = *facts.get(tag::kernel_cycles);
  if (cycles <= 0 || atomics <= 0) return std::nullopt;
  const double others =
      facts.get(tag::load_requests).value_or(0) + facts.get(tag::store_requests).value_or(0);
  const double serial = atomics * warp / cycles, part = atomics / (atomics + others);
  if (serial < least_serial || part < least_of_accesses ||
      facts.get(tag::l2_fraction).value_or(0) > spread)
    return std::nullopt;
  const double waits =
      stalls(facts, {"long_scoreboard", "lg_throttle", "drain", "membar", "mio_throttle"});
  if (waits < least_waits) return std::nullopt;
  const auto place = where_written(
      facts, {"atomicAdd", "atomicMax", "atomicMin", "atomicCAS", "atomicExch", "atomicOr",
              "atomicInc", "red.global.add", "atom.global.add", "red.shared.add"});
  auto advice = advise(facts, name, "Atomics wait for each other", place);
  advice.evidence = fmt::format(
      "{} warp instructions are atomics on global memory, {} of its accesses (looked at from {}); "
      "one thread a cycle they alone take {:.1f} times the launch's cycles (from {:.1f}), and {} "
      "of the warps' cycles are waits behind them (from {}); L2 is {} busy.",
      count_text(atomics), percent(part), percent(least_of_accesses), serial, least_serial,
      percent(waits), percent(least_waits), percent(facts.get(tag::l2_fraction).value_or(0)));
  advice.cause =
      "Many threads update the same few addresses, and each update waits for the one before.";
  advice.recommendation = fmt::format(
      "Add within the warp first (`__reduce_add_sync`, shuffles), then within the block in shared "
      "memory, and let one thread a block do the atomic; or give groups of blocks copies of their "
      "own and add those at the end; the atomics are {}.",
      place.text);
  const double next =
      std::max({memory_of_ceiling(facts).value_or(0), facts.get(tag::issue_fraction).value_or(0)});
  const double least = std::max(1 - waits, next),
               low = std::max(1 - waits * (1 - 1 / warp) * waits, next);
  return worth(std::move(advice), gain_if(facts, std::max(low, least), least),
               fmt::format("One atomic for 32 or more: the waits behind them ({}) go, all at the "
                           "high end; at the low end that share of them.",
                           percent(waits)));
}

}  // namespace

Tool builtin::atomics() {
  return {name,
          "Atomics that meet at few addresses.",
          {core::Bound::memory, core::Bound::compute, core::Bound::latency},
          Hardware::nvidia,
          false,
          {tag::atomics, tag::kernel_cycles, "kernel.stall.long_scoreboard"},
          "atomics that are at least 10 % of the accesses to global memory and would take at least "
          "20 % of the cycles one after the other, L2 at most 50 % busy, and at least 25 % of the "
          "warps' cycles waiting behind them",
          look};
}

}  // namespace hone::profile
