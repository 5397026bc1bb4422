// At the memory's ceiling nothing but fewer bytes helps: this tool says so, which saves tuning
// without effect.
#include <fmt/format.h>

#include <algorithm>

#include "profile/builtin.h"
#include "profile/gains.h"
#include "profile/limits.h"
#include "profile/tags.h"
#include "profile/words.h"

namespace hone::profile {
namespace {

constexpr std::string_view name = "dram-saturated";
constexpr double saturated =
    0.85;  // of the ceiling measured on this device; the best kernels reach 95 %
constexpr double with_a_pass =
    0.25;  // of a pass's instructions, those around its arithmetic: a careful guess
constexpr double compulsory =
    1.2;  // times the task's bytes: up to here they are what the task asks for

std::optional<core::Advice> look(const Facts& facts) {
  const auto fraction = memory_of_ceiling(facts);
  if (!fraction || *fraction < saturated) return std::nullopt;
  const double moved = dram_bytes(facts), repeats = facts.get(tag::repeats).value_or(1);
  const double needed = facts.roofline.bytes * facts.share;
  auto advice = advise(facts, name, "The memory is at its ceiling");
  advice.evidence = fmt::format(
      "DRAM runs at {} of the rate this device reached when measured (looked at from {}): {} in {}",
      percent(*fraction), percent(saturated), bytes_text(moved),
      seconds_text(*facts.get(tag::kernel_seconds) * repeats));
  if (needed > 0)
    advice.evidence += fmt::format(", {:.2f} times the {} of the task's formula", moved / needed,
                                   bytes_text(needed));
  advice.evidence += ".";
  advice.cause = fmt::format("{} moves bytes as fast as this device can.",
                             facts.kernel.empty() ? "The call" : "Kernel `" + facts.kernel + "`");
  const bool more = needed > 0 && moved > compulsory * needed;
  advice.recommendation = more ? "Move fewer bytes: keep what is read twice, fuse passes over the "
                                 "same data, narrow what is stored between launches."
                               : "It moves what the task asks for: only another algorithm, a "
                                 "narrower type or fusing it with its neighbours gains much.";
  advice.recommendation += fmt::format(" Tuning accesses, occupancy or unrolling gains at most {}.",
                                       percent(1 - *fraction));
  const double least = needed > 0 ? std::min(1.0, needed / moved) : 1;
  // Passes that become one do their addresses, loads and stores once.
  const double rest = busiest_but_memory(facts) * (repeats > 1 ? 1 - with_a_pass : 1);
  const double bound = std::max(least * *fraction, rest);
  advice.gain = gain_if(facts, more ? (1 + bound) / 2 : 1, bound);
  advice.severity =
      more ? severity_of(advice.gain).value_or(core::Severity::note) : core::Severity::note;
  advice.model = fmt::format(
      "Bytes at the ceiling: at most what lies between the bytes moved and the task's own ({}), "
      "and between this rate and the ceiling, until the busiest other unit ({}) binds; at the low "
      "end {}.",
      percent(least), percent(rest), more ? "half of the way" : "nothing");
  return advice;
}

}  // namespace

Tool builtin::dram_saturated() {
  return {name,
          "Memory at its measured ceiling: only fewer bytes help.",
          {core::Bound::memory, core::Bound::latency},
          Hardware::nvidia,
          false,
          {tag::dram_read, tag::dram_written, tag::kernel_seconds},
          "DRAM at 85 % or more of the measured ceiling; a note where the bytes are the task's own",
          look};
}

}  // namespace hone::profile
