// A pipe is full: the launch is bound by one kind of arithmetic while others idle.
#include <fmt/format.h>

#include <algorithm>

#include "profile/builtin.h"
#include "profile/gains.h"
#include "profile/limits.h"
#include "profile/stall_reading.h"
#include "profile/tags.h"

namespace hone::profile {
namespace {

constexpr std::string_view name = "math-pipe";
constexpr double least = 0.2;  // a pipe that is now and then taken shows a tenth
constexpr double pipe_busy =
    0.6;  // of its peak: below it the waits are bursts, which more warps smooth out

std::optional<core::Advice> look(const Facts& facts) {
  std::string busiest_pipe;
  double most = 0, second = 0;
  for (const auto& [pipe, fraction] : facts.metrics.under(tag::pipe, facts.launch)) {
    if (pipe == "lsu") continue;
    if (fraction > most) {
      second = most;
      most = fraction;
      busiest_pipe = pipe;
    } else {
      second = std::max(second, fraction);
    }
  }
  const double share = stall(facts, "math_pipe_throttle");
  // A full tensor pipe is what a matrix product wants.
  if (share < least || most < pipe_busy || busiest_pipe == "tensor") return std::nullopt;
  const auto place = where_stalled(facts, {"math_pipe_throttle"});
  auto advice = advise(facts, name, fmt::format("The {} pipe is full", busiest_pipe), place);
  advice.evidence = fmt::format(
      "{} of the warps' cycles are waits for an arithmetic pipe (looked at from {}); the {} pipe "
      "is {} busy (from {}), the next {}; {}.",
      percent(share), percent(least), busiest_pipe, percent(most), percent(pipe_busy),
      percent(second), place.text);
  advice.cause = fmt::format("One kind of instruction, that of the {} pipe, is most of the work.",
                             busiest_pipe);
  advice.recommendation = fmt::format(
      "{} {}.",
      busiest_pipe == "alu"
          ? "Take integer, compare, select and conversion instructions out of the inner loop "
            "(strength-reduce addresses, packed conversions, multiply-add instead of shift and add)"
      : busiest_pipe == "fma" ? "Use packed or tensor-core arithmetic, or fewer operations (common "
                                "subexpressions, a cheaper form)"
      : busiest_pipe == "xu"
          ? "Replace part of the special functions by polynomials on the fma pipe"
          : "Use a narrower type or another pipe",
      place.text);
  // Halving the work of the full pipe leaves the second as the limit. Where the task itself has
  // next to no arithmetic, the pipe is full of overhead, and all of it may go.
  const double low = std::max(0.8, second / most), high = std::max(0.5, second / most);
  if (facts.roofline.ceiling == "memory") {
    const double rest = std::max({second, memory_of_ceiling(facts).value_or(0), 1 - most});
    return worth(
        std::move(advice), gain_if(facts, 1 - most * (1 - low), rest),
        fmt::format(
            "The task's own arithmetic takes less time than its bytes, so this is overhead: a "
            "fifth of it goes (low), or all until the next pipe or the memory ({}) binds (high).",
            percent(rest)));
  }
  return worth(
      std::move(advice), gain_if(facts, 1 - most * (1 - low), 1 - most * (1 - high)),
      fmt::format(
          "The time follows the full pipe ({}): with a fifth (low) to half (high) of its "
          "instructions moved elsewhere it falls in proportion, until the next pipe ({}) binds.",
          percent(most), percent(second)));
}

}  // namespace

Tool builtin::math_pipe() {
  return {name,
          "One arithmetic pipe is full while others idle.",
          {core::Bound::compute, core::Bound::latency},
          Hardware::nvidia,
          false,
          {"kernel.stall.math_pipe_throttle", "kernel.pipe.fma"},
          "at least 20 % of the warps' cycles and a pipe at least 60 % busy, other than the tensor "
          "pipe",
          look};
}

}  // namespace hone::profile
