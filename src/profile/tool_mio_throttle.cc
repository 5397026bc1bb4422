// The queue to shared memory, special functions and dynamic branches is full.
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

constexpr std::string_view name = "mio-throttle";
constexpr double full = 0.9;  // of the pipe
constexpr double least =
    0.15;  // a full queue already means several at once; seldom seen in sound code

std::optional<core::Advice> look(const Facts& facts) {
  // The queue leads to the pipe of loads and stores, which may itself be full of what is too much.
  const bool pipe_is_full = facts.get("kernel.pipe.lsu").value_or(0) >= full;
  const double beyond =
      std::max(facts.get(tag::l2_fraction).value_or(0), memory_of_ceiling(facts).value_or(0));
  const double next = pipe_is_full ? std::max(busiest_but_memory(facts), beyond) : busiest(facts);
  if (!is_the_wait(facts, "mio_throttle", least, next)) return std::nullopt;
  StallReading reading{name, "mio_throttle",
                       "for a place in the queue to shared memory and special functions", least};
  reading.place = where_stalled(facts, {"mio_throttle"});
  reading.title = "Too many shared-memory instructions in a row";
  reading.cause =
      "Instructions for shared memory (or special functions) are issued faster than their queue "
      "empties.";
  const double narrow = facts.get("sass.load_shared.32").value_or(0),
               wide = facts.get("sass.load_shared.128").value_or(0);
  reading.recommendation = fmt::format(
      "Move the same bytes with fewer instructions: 128-bit shared loads (now {:.0f} of 32 bits "
      "and {:.0f} of 128), a larger tile in registers for each thread so that a loaded value is "
      "used more often, shuffles instead of shared memory within a warp; the waits are {}.",
      narrow, wide, reading.place.text);
  reading.next_limit = next;
  auto advice = stall_advice(facts, std::move(reading));
  if (!advice || !pipe_is_full) return advice;
  // A full pipe sets the time, so it goes down with its instructions, and the issue slots that they
  // take with it.
  const auto mix = loop_mix(facts);
  const double shared = mix.total > 0 ? (mix.load_shared + mix.store_shared) / mix.total : 0;
  const double rest = std::max({facts.get(tag::issue_fraction).value_or(0) * (1 - shared),
                                busiest_arithmetic(facts), beyond});
  advice->gain.high = std::max(advice->gain.high, gain_if(facts, rest, rest).high);
  advice->model += fmt::format(
      " The pipe is full: at the high end the shared accesses, {} of the instructions in the "
      "innermost loops, go, until the next limit ({}).",
      percent(shared), percent(rest));
  return advice;
}

}  // namespace

Tool builtin::mio_throttle() {
  return {name,
          "The queue to shared memory and special functions is full.",
          {core::Bound::latency, core::Bound::compute, core::Bound::memory},
          Hardware::nvidia,
          false,
          {"kernel.stall.mio_throttle", tag::issue_fraction},
          "at least 15 % of the warps' cycles, with a gain left before the busiest unit binds",
          look};
}

}  // namespace hone::profile
