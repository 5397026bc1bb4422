// Contiguous data moved 32 bits or less a thread: four times the instructions of 128-bit accesses,
// and a quarter of the bytes under way.
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

constexpr std::string_view name = "narrow-access";
constexpr double wide = 128;        // bits, the widest
constexpr double narrow_mean = 48;  // bits: most accesses are of 32 or less
constexpr double coalesced =
    1.3;  // sectors over ideal: above it the pattern comes first, another tool's

double mean_bits(const Facts& facts, std::string_view prefix, double& count) {
  double bits = 0, all = 0;
  for (const auto& [width, instructions] : facts.metrics.under(prefix, facts.launch)) {
    bits += std::atof(width.c_str()) * instructions;
    all += instructions;
  }
  count += all;
  return bits;
}

// What the accesses that were executed move a thread, by the sectors that their widths need; 0: not
// counted. The code alone says too little: a tail that is never run may be most of it.
double executed_bits(const Facts& facts) {
  constexpr double sector_bits = 256, lanes = 32;
  double bits = 0, requests = 0;
  const auto add = [&](std::string_view count, std::string_view sectors) {
    const auto number = facts.get(count), each = facts.get(sectors);
    if (!number || !each) return;
    bits += *number * *each * sector_bits / lanes;
    requests += *number;
  };
  add(tag::load_requests, tag::load_sectors_ideal);
  add(tag::store_requests, tag::store_sectors_ideal);
  return requests > 0 ? bits / requests : 0;
}

std::optional<core::Advice> look(const Facts& facts) {
  double count = 0;
  const double load_bits = mean_bits(facts, tag::sass_load_global, count);
  const double bits = load_bits + mean_bits(facts, tag::sass_store_global, count);
  if (count <= 0 || uses_wgmma(facts)) return std::nullopt;
  const double mean = std::max(bits / count, executed_bits(facts));
  if (mean > narrow_mean) return std::nullopt;
  const double accesses =
      facts.get(tag::load_requests).value_or(0) + facts.get(tag::store_requests).value_or(0);
  const double local = facts.get(tag::local_loads).value_or(0),
               atomics = facts.get(tag::atomics).value_or(0);
  if (accesses > 0 ? local + atomics > accesses : atomics > 0) return std::nullopt;  // other tools'
  if (uses_async_copy(facts) || sectors_over_ideal(facts).value_or(1) > coalesced)
    return std::nullopt;
  const double factor = wide / std::max(mean, 8.0);
  const double throttle = stall(facts, "lg_throttle"),
               waits = stalls(facts, {"long_scoreboard", "lg_throttle"});
  const auto place = where(facts, {"long_scoreboard", "lg_throttle"}, {});
  auto advice = advise(facts, name, "Narrow loads and stores of contiguous data", place);
  advice.evidence = fmt::format(
      "The {:.0f} accesses to global memory in the code move {:.0f} bits a thread on average "
      "(looked at up to {:.0f}; 128 are possible); {} of the warps' cycles are waits for memory, "
      "DRAM is at {} of its measured ceiling.",
      count, mean, narrow_mean, percent(waits), percent(memory_of_ceiling(facts).value_or(0)));
  advice.cause = fmt::format(
      "Each instruction moves {:.0f} bits a thread, so that too few bytes are under way.", mean);
  advice.recommendation = fmt::format(
      "Let each thread handle {:.0f} neighbouring elements with one 128-bit access (`float4`, "
      "`uint4`), and a tail for what does not divide; the accesses are {}.",
      std::round(factor), place.text);
  const double next =
      std::max(busiest_but_memory(facts) / factor, memory_of_ceiling(facts).value_or(0));
  // Low: only the queue empties. High: the bytes under way grow by the factor, and with them the
  // throughput.
  const double high = std::max({1 - waits * (1 - 1 / factor), next}),
               low = std::max(1 - throttle * (1 - 1 / factor), next);
  return worth(std::move(advice), gain_if(facts, low, high),
               fmt::format("With {:.1f} times the bytes an instruction, Little's law lifts the "
                           "throughput until the memory's ceiling ({} reached); at the low end "
                           "only the waits for a place in the queue go.",
                           factor, percent(next)));
}

}  // namespace

Tool builtin::narrow_access() {
  return {
      name,
      "Contiguous data moved by narrow accesses.",
      {core::Bound::memory, core::Bound::latency},
      Hardware::nvidia,
      false,
      {tag::sass_instructions, "kernel.stall.long_scoreboard", tag::dram_fraction},
      "accesses to global memory of 48 bits or less on average, coalesced (at most 1.3 times the "
      "ideal sectors), and room below the memory's ceiling; not with wgmma or asynchronous copies",
      look};
}

}  // namespace hone::profile
