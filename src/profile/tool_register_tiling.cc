// A tile in shared memory whose values each serve one multiply-add: shared memory becomes the
// limit.
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

constexpr std::string_view name = "register-tiling";
// In a cycle an SM does multiply-adds for four warps but passes one wavefront (32 × 4 bytes) of
// shared memory.
constexpr double balanced = 4;
constexpr double least_path = 0.4;  // of the time at shared memory, busy or waited for

// 32-bit wavefronts a shared load takes on average.
double wavefronts_per_load(const Facts& facts) {
  double loads = 0, wavefronts = 0;
  for (const auto& [width, count] : facts.metrics.under(tag::sass_load_shared, facts.launch)) {
    loads += count;
    wavefronts += count * std::max(1.0, std::atof(width.c_str()) / 32);
  }
  return loads > 0 ? wavefronts / loads : 1;
}

std::optional<core::Advice> look(const Facts& facts) {
  // A loop that is unrolled whole lies in the loop around it, which is not an innermost one.
  auto mix = loop_mix(facts);
  if (mix.load_shared <= 0 || mix.f32 <= 0) mix = code_mix(facts);
  if (facts.get(tag::sass_loops).value_or(1) <= 0 || mix.load_shared <= 0 || mix.f32 <= 0 ||
      mix.tensor > 0)
    return std::nullopt;
  const double ratio = mix.f32 / (mix.load_shared * wavefronts_per_load(facts));
  if (ratio >= balanced) return std::nullopt;
  const double waits = stalls(facts, {"short_scoreboard", "mio_throttle"});
  // Warps at a barrier wait for others that are there: at least as often as these do, at most
  // always.
  const double barrier = stall(facts, "barrier");
  const double busy = facts.get(tag::l1_fraction).value_or(0);
  const double path = std::max(busy, std::min(1.0, waits / std::max(0.1, 1 - barrier)));
  const double most_path = std::max(path, std::min(1.0, waits + barrier));
  if (path < least_path) return std::nullopt;
  const auto place = where_stalled(facts, {"short_scoreboard", "mio_throttle"});
  auto advice = advise(facts, name, "Values from shared memory are used too rarely", place);
  advice.evidence = fmt::format(
      "In the innermost loops {:.1f} arithmetic instructions stand for each wavefront of shared "
      "loads (balanced at {:.0f} on this device); L1 and shared memory are {} busy, and {} of the "
      "warps' cycles are waits for them.",
      ratio, balanced, percent(facts.get(tag::l1_fraction).value_or(0)), percent(waits));
  advice.cause =
      "Each value loaded from shared memory serves too few multiply-adds, so shared memory sets "
      "the pace.";
  advice.recommendation = fmt::format(
      "Let each thread compute a tile of results from registers (4 × 4 uses each loaded value four "
      "times, 8 × 8 eight) and load its operands 128 bits at a time; fewer threads a block than {} "
      "then do the same work; the loads are {}.",
      block_text(facts), place.text);
  const double next =
      std::max(facts.get("kernel.pipe.fma").value_or(0), memory_of_ceiling(facts).value_or(0));
  const double all = std::max(1 - most_path * (1 - ratio / balanced), next);
  const double half = std::max(1 - path * (1 - std::min(1.0, 2 * ratio / balanced)), all);
  return worth(std::move(advice), gain_if(facts, half, all),
               fmt::format("The time at shared memory shrinks until arithmetic and shared loads "
                           "are in balance ({:.1f} of {:.0f} now) at the high end, where all waits "
                           "at barriers are for it ({}); half as far at the low end, where they "
                           "are for it in proportion ({}); never below the next limit ({}).",
                           ratio, balanced, percent(most_path), percent(path), percent(next)));
}

}  // namespace

Tool builtin::register_tiling() {
  return {name,
          "Tiles in shared memory whose values are used too rarely.",
          {core::Bound::memory, core::Bound::compute, core::Bound::latency},
          Hardware::nvidia,
          false,
          {tag::sass_instructions, tag::l1_fraction, "kernel.stall.short_scoreboard"},
          "fewer than 4 arithmetic instructions for each wavefront of shared loads in the inner "
          "loops, and at least 40 % of the time there",
          look};
}

}  // namespace hone::profile
