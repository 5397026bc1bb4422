// Bytes through DRAM against the bytes that the task's formula asks for.
#include <fmt/format.h>

#include <algorithm>

#include "profile/builtin.h"
#include "profile/gains.h"
#include "profile/launches.h"
#include "profile/tags.h"
#include "profile/words.h"

namespace hone::profile {
namespace {

constexpr std::string_view name = "excess-bytes";
constexpr double kept_on_chip =
    0.95;  // of the task's bytes that DRAM sees: L2 keeps the last written ones
constexpr double all_is_memory =
    0.8;  // of the ceiling: from there on there is nothing else to wait for
constexpr double least_ratio = 1.2;  // below it: tails, tables, partial lines

std::optional<core::Advice> look(const Facts& facts) {
  double moved = 0, most = 0;
  std::string hungriest;
  for (const auto& launch : launches_of(facts)) {
    const auto read = facts.metrics.get(tag::dram_read, launch.index),
               written = facts.metrics.get(tag::dram_written, launch.index);
    const double one = (read.value_or(0) + written.value_or(0)) * launch.repeats;
    moved += one;
    if (one > most) {
      most = one;
      hungriest = launch.kernel;
    }
  }
  const double needed = facts.roofline.bytes, ceiling = core::memory_ceiling(facts.ceilings);
  if (needed <= 0 || ceiling <= 0 || facts.seconds <= 0 || moved < least_ratio * needed)
    return std::nullopt;
  const double excess = (moved - needed) / ceiling / facts.seconds,
               rate = std::min(1.0, moved / ceiling / facts.seconds);
  const double all_memory = rate >= all_is_memory ? 1 : rate;
  const auto place = where_stalled(facts, {"long_scoreboard"});
  auto advice = advise(facts, name, "More bytes are moved than the task needs", place);
  advice.evidence = fmt::format(
      "{} went through DRAM, {:.1f} times the {} of the task's formula (looked at from {:.1f}), "
      "most of it by kernel `{}`; at the measured ceiling the rest alone takes {} of {}.",
      bytes_text(moved), moved / needed, bytes_text(needed), least_ratio, hungriest,
      seconds_text(excess * facts.seconds), seconds_text(facts.seconds));
  advice.cause =
      "Data are read again after they have left the caches, or results pass through memory between "
      "steps.";
  advice.recommendation = fmt::format(
      "Read each input once: larger tiles, blocks that share data running at the same time (order "
      "the grid so that neighbours reuse L2), passes over the same data fused, intermediate "
      "results kept on chip; it is read {}.",
      place.text);
  return worth(
      std::move(advice),
      gain_of_call(facts, excess * rate,
                   std::max(excess, all_memory * (1 - kept_on_chip * needed / moved))),
      fmt::format(
          "The excess bytes at the ceiling are {} of the time; at the low end only as far as DRAM "
          "is what is waited for ({} of its ceiling). At the high end the time falls with the "
          "bytes at the rate they have now, to {} of the task's, since L2 keeps some.",
          percent(std::min(1.0, excess)), percent(rate), percent(kept_on_chip)));
}

}  // namespace

Tool builtin::excess_bytes() {
  return {name,
          "Bytes through DRAM that the task does not need.",
          {},
          Hardware::nvidia,
          true,
          {tag::dram_read, tag::dram_written},
          "at least 1.2 times the bytes of the task's formula went through DRAM",
          look};
}

}  // namespace hone::profile
