// The same bytes are asked of the caches many times by different threads, though a block could keep
// them in shared memory.
#include <fmt/format.h>

#include <algorithm>

#include "profile/builtin.h"
#include "profile/gains.h"
#include "profile/instructions.h"
#include "profile/limits.h"
#include "profile/stall_reading.h"
#include "profile/tags.h"
#include "profile/words.h"

namespace hone::profile {
namespace {

constexpr std::string_view name = "no-tiling";
constexpr double least_reuse =
    4;  // times each byte of the task is loaded: below it a tile hardly pays for its barriers
constexpr double least_path = 0.4;  // of the time in the caches, busy or waited for
constexpr double modest_tile = 2,
                 large_tile =
                     16;  // by which a tile cuts the loads: the least worth having, and 16 × 16

std::optional<core::Advice> look(const Facts& facts) {
  const auto mix = loop_mix(facts);
  const bool shared = facts.get("sass.mix.load_shared").value_or(0) > 0 || uses_async_copy(facts) ||
                      uses_wgmma(facts);
  const double needed = facts.roofline.bytes * facts.share;
  const double repeats = facts.get(tag::repeats).value_or(1);
  constexpr double sector = 32;
  const double loaded =
      *facts.get(tag::load_requests) * *facts.get(tag::load_sectors_ideal) * sector * repeats;
  const bool spilled =
      facts.get(tag::local_loads).value_or(0) > *facts.get(tag::load_requests);  // another tool's
  if (shared || spilled || needed <= 0 || loaded < least_reuse * needed) return std::nullopt;
  const double waits = stalls(facts, {"long_scoreboard", "lg_throttle"});
  const double path = std::max(
      {facts.get(tag::l1_fraction).value_or(0), facts.get(tag::l2_fraction).value_or(0), waits});
  if (path < least_path) return std::nullopt;
  const auto place = where_stalled(facts, {"long_scoreboard", "lg_throttle"});
  auto advice = advise(facts, name, "Reused data are not tiled in shared memory", place);
  advice.evidence = fmt::format(
      "Loads ask for {}, {:.1f} times the {} of the task's formula (looked at from {:.0f}), and "
      "the code does not touch shared memory; L1 is {} busy, L2 {}, and {} of the warps' cycles "
      "are waits for loads.",
      bytes_text(loaded), loaded / needed, bytes_text(needed), least_reuse,
      percent(facts.get(tag::l1_fraction).value_or(0)),
      percent(facts.get(tag::l2_fraction).value_or(0)), percent(waits));
  advice.cause =
      "Each thread fetches its operands from the caches for itself, though its neighbours need the "
      "same ones.";
  advice.recommendation = fmt::format(
      "Bring a tile of each operand into shared memory once for the whole block and let each "
      "thread compute several results from registers (a 64 × 64 tile with 4 × 4 results a thread "
      "is a beginning){}; the loads are {}.",
      mix.in_loops ? "" : ", with a loop over the tiles", place.text);
  const double reuse = std::min(loaded / needed, large_tile),
               issue = facts.get(tag::issue_fraction).value_or(0);
  // Loads and their addresses take issue slots too, and become fewer with the loads.
  const double with_loads = mix.total > 0 ? (mix.load_global + mix.integer) / mix.total : 0;
  double arithmetic = memory_after(facts, needed / loaded);
  for (const auto* pipe :
       {"kernel.pipe.fma", "kernel.pipe.tensor", "kernel.pipe.fp64", "kernel.pipe.xu"})
    arithmetic = std::max(arithmetic, facts.get(pipe).value_or(0));
  const double next = std::max(arithmetic, issue * (1 - with_loads * (1 - 1 / modest_tile)));
  return worth(
      std::move(advice),
      gain_if(facts, std::max(1 - path * (1 - 1 / modest_tile), next),
              std::max(1 - std::max(path, issue) * (1 - 1 / reuse), arithmetic)),
      fmt::format("The time in the caches ({}) shrinks with the loads: to a half at the low end "
                  "(or what issuing the rest takes, {}); at the high end to 1/{:.0f}, the issue "
                  "slots ({}) with it, never below the arithmetic and the bytes ({}).",
                  percent(path), percent(next), reuse, percent(issue), percent(arithmetic)));
}

}  // namespace

Tool builtin::no_tiling() {
  return {name,
          "Reused data that every thread fetches from the caches for itself.",
          {core::Bound::memory, core::Bound::compute, core::Bound::latency},
          Hardware::nvidia,
          false,
          {tag::load_requests, tag::load_sectors_ideal, tag::sass_instructions,
           "kernel.stall.long_scoreboard"},
          "loads ask for at least 4 times the task's bytes, no shared memory in the code, and at "
          "least 40 % of the time in the caches",
          look};
}

}  // namespace hone::profile
