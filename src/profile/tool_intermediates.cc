// Buffers between launches: written by one, read by the next, through memory.
#include <fmt/format.h>

#include <algorithm>

#include "profile/builtin.h"
#include "profile/gains.h"
#include "profile/limits.h"
#include "profile/words.h"

namespace hone::profile {
namespace {

constexpr std::string_view name = "intermediates";
constexpr double least_part =
    0.15;  // of the task's own bytes: partial results of a reduction are far below

constexpr double all_is_memory =
    0.8;  // of the ceiling: from there on there is nothing else to wait for

std::optional<core::Advice> look(const Facts& facts) {
  double bytes = 0, most = 0;
  std::string largest;
  for (const auto& buffer : facts.plan.buffers) {
    if (buffer.role != core::ResolvedBuffer::Role::scratch) continue;
    bytes += static_cast<double>(buffer.bytes);
    if (static_cast<double>(buffer.bytes) > most) {
      most = static_cast<double>(buffer.bytes);
      largest = buffer.name;
    }
  }
  const double ceiling = core::memory_ceiling(facts.ceilings), needed = facts.roofline.bytes;
  if (needed <= 0 || ceiling <= 0 || facts.seconds <= 0 || facts.plan.launches.size() < 2)
    return std::nullopt;
  // Written once and read once. What fits into half the L2 may never reach memory.
  const double moved = 2 * bytes,
               cached = std::min(moved, static_cast<double>(facts.device.l2_bytes));
  if (moved < least_part * needed) return std::nullopt;
  auto advice = advise(facts, name, "Intermediate results pass through memory");
  const auto place = where_written(facts, {largest});
  advice.lines = place.lines;
  advice.evidence = fmt::format(
      "The scratch buffers have {} (`{}` is the largest), which is written and read again: {} of "
      "the task's {} (looked at from {}).",
      bytes_text(bytes), largest, percent(moved / needed), bytes_text(needed), percent(least_part));
  advice.cause = "One launch writes what the next reads, and the bytes go through memory twice.";
  advice.recommendation = fmt::format(
      "Fuse the launches that exchange `{}`, so that it stays in registers or shared memory; or "
      "store it in a narrower type; it is used {}.",
      largest, place.text);
  const double at_ceiling = moved / ceiling / facts.seconds,
               low = (moved - cached) / ceiling / facts.seconds;
  // Where the time is all bytes it falls with them at the rate they have now, which is less than
  // the ceiling.
  const bool all_bytes = (moved + needed) / ceiling / facts.seconds >= all_is_memory;
  const double high = (all_bytes ? std::max(at_ceiling, moved / (moved + needed)) : at_ceiling) +
                      seconds_of_empty_launch / facts.seconds;
  return worth(
      std::move(advice), gain_of_call(facts, std::min(low, at_ceiling / 2), high),
      "The bytes of the buffers, once written and once read, at the measured ceiling, or their "
      "part of all bytes where the time is all bytes, and the start of a launch (high); at the low "
      "end what the L2 can hold costs nothing, and half of the rest is overlapped.");
}

}  // namespace

Tool builtin::intermediates() {
  return {name,
          "Results that pass through memory between launches.",
          {core::Bound::memory, core::Bound::latency, core::Bound::launch},
          Hardware::any,
          true,
          {},
          "scratch buffers whose bytes, written and read, are at least 15 % of the task's own",
          look};
}

}  // namespace hone::profile
