#include "profile/classify.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "profile/launches.h"
#include "profile/limits.h"
#include "profile/recorded_call.h"
#include "profile/tags.h"
#include "profile/words.h"

namespace hone::profile {
namespace {

using core::Bound;

// Two limits within a quarter of each other: lifting one gains little before the other binds.
constexpr double within_a_quarter = 0.75;
// A unit that is busier than this is what the launch waits for. Good kernels come within 10 to 20 %
// of a ceiling; one that idles in two cycles of five is not held up by its throughput.
constexpr double busy = 0.6;
// More than a quarter of the span between launches and in starting them is more than a change
// inside one usually gains.
constexpr double large_outside = 0.25;
// A single launch shorter than this many times the host's cost of launching cannot follow its
// predecessor closely; a call on a CPU that is shorter is mostly not spent in its kernels.
constexpr double short_launch = 2;
// Without counters a limit can still be what is waited for far below its ceiling, if the kernel
// asks more of it than the task does. At worst: a line of the caches for each number, and
// arithmetic one number at a time without multiply-adds.
constexpr double line_bytes = 64, number_bytes = 4;
constexpr double usual_bits = 256,
                 number_bits = 32;  // of a CPU's vectors where its own are not known

Bound larger_of(double memory, double compute) {
  if (std::min(memory, compute) >= within_a_quarter * std::max(memory, compute))
    return Bound::mixed;
  return memory > compute ? Bound::memory : Bound::compute;
}

// The arithmetic that takes longest at its measured ceiling.
struct Arithmetic {
  std::string kind, unknown;  // unknown: a kind without a ceiling
  double seconds = 0, flops = 0, rate = 0;
};
Arithmetic arithmetic_of(const Facts& facts) {
  Arithmetic longest;
  for (const auto& [kind, flops] : facts.roofline.flops_by_kind) {
    const auto rate = facts.ceilings.flops.find(kind);
    if (rate == facts.ceilings.flops.end() || rate->second <= 0) {
      if (flops > 0) longest.unknown = kind;
    } else if (flops / rate->second > longest.seconds) {
      longest.kind = kind;
      longest.seconds = flops / rate->second;
      longest.flops = flops;
      longest.rate = rate->second;
    }
  }
  return longest;
}

// Operators of a task in Python that have no count; how many operations they are is not known.
std::string uncounted_text(const Facts& facts) {
  if (facts.task == nullptr) return "";
  return fmt::format("{}", fmt::join(facts.task->work.uncounted, ", "));
}

std::optional<Bound> by_theory(const Facts& facts, std::string& reason) {
  const double ceiling = core::memory_ceiling(facts.ceilings);
  const auto arithmetic = arithmetic_of(facts);
  if (ceiling <= 0 || (facts.roofline.bytes <= 0 && facts.roofline.flops <= 0)) {
    reason += ceiling <= 0 ? "No ceilings of this device are known, so theory says nothing. "
                           : "The task has no work formulas, so theory says nothing. ";
    return std::nullopt;
  }
  if (!arithmetic.unknown.empty() && arithmetic.kind.empty()) {
    reason += fmt::format("No ceiling for {} arithmetic is known, so theory says nothing. ",
                          arithmetic.unknown);
    return std::nullopt;
  }
  const double memory = facts.roofline.bytes / ceiling;
  const std::string uncounted = uncounted_text(facts);
  // Of problems in Python the operators are counted as they run, where they are known.
  if ((facts.roofline.flops_by_kind.empty() && facts.task != nullptr && facts.task->reference_py) ||
      (arithmetic.kind.empty() && !uncounted.empty())) {
    reason += fmt::format(
        "The task's operations are not counted{}, so theory knows only of {} to move ({} at the "
        "ceiling) and says nothing of the arithmetic. ",
        uncounted.empty() ? "" : " (" + uncounted + ")", bytes_text(facts.roofline.bytes),
        seconds_text(memory));
    return std::nullopt;
  }
  if (arithmetic.kind.empty()) {
    reason += fmt::format(
        "By the task's formulas there is no arithmetic to speak of and {} to move ({} at the "
        "ceiling). ",
        bytes_text(facts.roofline.bytes), seconds_text(memory));
    return Bound::memory;
  }
  const auto bound = larger_of(memory, arithmetic.seconds);
  const double ridge = arithmetic.rate / ceiling;
  if (facts.roofline.bytes <= 0) {
    reason += fmt::format("By the task's formulas there is only arithmetic ({} of {}). ",
                          seconds_text(arithmetic.seconds), arithmetic.kind);
    return Bound::compute;
  }
  reason += fmt::format(
      "By the task's formulas {:.3g} {} operations for each byte, against a measured ridge of "
      "{:.3g}: {} at the memory's ceiling, {} at the arithmetic's. ",
      arithmetic.flops / facts.roofline.bytes, arithmetic.kind, ridge, seconds_text(memory),
      seconds_text(arithmetic.seconds));
  if (uncounted.empty() || bound == Bound::compute) return bound;  // more could not change that
  reason += fmt::format("Operations of {} are not in that, so theory says nothing. ", uncounted);
  return std::nullopt;
}

// Fractions of the peaks, over the launches by their time.
struct Measured {
  double compute = 0, memory = 0, dram = 0, issue = 0;
  bool any = false, dram_known = false;
};
Measured measured_of(const Facts& facts) {
  Measured sum;
  double weight = 0;
  for (const auto& launch : launches_of(facts)) {
    const auto view = seen_from(facts, launch);
    const auto memory = view.get(tag::memory_fraction);
    if (!view.get(tag::compute_fraction) || !memory) continue;
    const auto dram = memory_of_ceiling(view);
    sum.any = true;
    sum.dram_known = sum.dram_known || dram.has_value();
    weight += launch.share;
    // Not the SM's throughput as it is: it counts shared memory, L1 and barriers among the SM's
    // parts.
    sum.compute += launch.share * busiest_but_memory(view);
    sum.memory += launch.share * std::max(*memory, dram.value_or(0));
    sum.dram += launch.share * dram.value_or(0);
    sum.issue += launch.share * issue_of_elapsed(view);
  }
  if (weight <= 0) return {};
  for (double* value : {&sum.compute, &sum.memory, &sum.dram, &sum.issue}) *value /= weight;
  return sum;
}

// A call by Python: whatever is not spent in kernels is the host's, before, between and behind
// them.
std::optional<Bound> by_host(const Facts& facts, std::string& reason) {
  if (core::capabilities(facts.device).native_code || !facts.get(tag::system_kernels))
    return std::nullopt;
  const double outside = 1 - busy_fraction(facts);
  if (outside < large_outside) return std::nullopt;
  reason += fmt::format(
      "{} of the call's {} is not spent in its {} kernels but in the host's way to them. ",
      percent(outside), seconds_text(facts.seconds), facts.plan.launches.size());
  return Bound::launch;
}

std::optional<Bound> by_launches(const Facts& facts, std::string& reason) {
  if (only_recorded(facts)) return by_host(facts, reason);
  const auto span = facts.get(tag::system_span), kernels = facts.get(tag::system_kernels);
  if (span && kernels && *span > 0 && facts.plan.launches.size() > 1) {
    const double starting =
        static_cast<double>(facts.plan.launches.size()) * seconds_of_empty_launch / *span;
    const double outside = std::min(1.0, 1 - busy_fraction(facts) + starting);
    if (outside < large_outside) return std::nullopt;
    reason +=
        fmt::format("{} of the span of {} is spent between its {} launches and in starting them. ",
                    percent(outside), seconds_text(*span), facts.plan.launches.size());
    return Bound::launch;
  }
  if (core::capabilities(facts.device).native_code && busy_fraction(facts) < 1 / short_launch) {
    reason += fmt::format(
        "Of the call's {} only {} is spent in its kernels; the rest is what calling them takes{}. ",
        seconds_text(facts.seconds), percent(busy_fraction(facts)),
        facts.ceilings.calls > 0
            ? fmt::format(" ({} with an empty one)", seconds_text(1 / facts.ceilings.calls))
            : "");
    return Bound::launch;
  }
  const auto cost = facts.get(tag::system_launch_cost);
  if (!cost || facts.seconds <= 0 || facts.seconds >= short_launch * *cost) return std::nullopt;
  reason +=
      fmt::format("The call takes {}, less than {} times what the host needs to launch it ({}). ",
                  seconds_text(facts.seconds), short_launch, seconds_text(*cost));
  return Bound::launch;
}

std::optional<Bound> by_counters(const Measured& measured, std::string& reason) {
  reason += fmt::format("Measured: compute {} and memory {} of their peaks",
                        percent(measured.compute), percent(measured.memory));
  if (measured.dram_known)
    reason += fmt::format(", DRAM {} of its measured ceiling", percent(measured.dram));
  reason += fmt::format(", issue slots {}", percent(measured.issue));
  if (std::max(measured.compute, measured.memory) < busy) {
    reason +=
        fmt::format(": nothing is busier than {}, so the time is spent waiting. ", percent(busy));
    return Bound::latency;
  }
  reason += ". ";
  return larger_of(measured.memory, measured.compute);
}

// What arithmetic without multiply-adds would reach of its ceiling if it never paused, in the width
// of the inner loops' code; one number at a time where that is not known.
double least_arithmetic(const Facts& facts) {
  double machine = 0, used = 0;
  for (const auto& launch : launches_of(facts)) {
    const auto view = seen_from(facts, launch);
    machine = std::max(machine, view.get(tag::cpu_vector_bits).value_or(0));
    used = std::max(used, view.get(tag::cpu_loop_bits).value_or(0));
  }
  if (machine <= 0) machine = usual_bits;
  return std::clamp(used, number_bits, machine) / machine / 2;
}

// So far below both ceilings that neither can be what a CPU waits for, however badly it is used.
bool waits_for_neither(const Facts& facts, std::string& reason) {
  const double ceiling = core::memory_ceiling(facts.ceilings);
  const double memory = ceiling > 0 ? facts.roofline.bytes / ceiling / facts.seconds : 0;
  const double compute = arithmetic_of(facts).seconds / facts.seconds;
  const double least_memory = number_bytes / line_bytes, least_compute = least_arithmetic(facts);
  if (memory >= least_memory || compute >= least_compute) return false;
  reason += fmt::format(
      "That is so far below both (memory {}, where a line of the caches for each number would "
      "leave {}; arithmetic {}, where its code without a pause would leave {}) that it waits for "
      "neither: for chains of instructions, for the caches, or in work that the formulas do not "
      "count. ",
      percent(memory), percent(least_memory), percent(compute), percent(least_compute));
  return true;
}

// Without counters only the clock speaks: near the ceiling that theory names, it is that.
std::optional<Bound> by_clock(const Facts& facts, std::optional<Bound> theory,
                              std::string& reason) {
  if (!theory || facts.seconds <= 0 || facts.roofline.seconds <= 0) return std::nullopt;
  const double fraction = facts.roofline.seconds / facts.seconds;
  reason += fmt::format("No counters were read; the call reaches {} of the {} ceiling. ",
                        percent(fraction), facts.roofline.ceiling);
  if (fraction > 1 && floor_fraction(facts) <= 0)
    reason +=
        "No ceiling can be beaten: this one was measured while the machine was busier; `hone "
        "doctor --measure` measures it again. ";
  if (core::capabilities(facts.device).native_code && waits_for_neither(facts, reason))
    return Bound::latency;
  if (fraction < busy)
    reason += "Whether it waits for that is not known: the class is by theory alone. ";
  return fraction >= busy ? theory : std::nullopt;
}

std::string disagreement_of(std::optional<Bound> theory, std::optional<Bound> measured,
                            const Measured& fractions) {
  if (theory == Bound::memory && (measured == Bound::compute || measured == Bound::mixed))
    return fmt::format(
        "The task asks for bytes, but the compute units are {} busy: instructions are spent that "
        "the task does not need (addresses, conversions, recomputation).",
        percent(fractions.compute));
  if (theory == Bound::compute && (measured == Bound::memory || measured == Bound::mixed))
    return fmt::format(
        "The task asks for arithmetic, but the memory units are {} busy: bytes are moved that the "
        "task does not need (no reuse, uncoalesced access, spills).",
        percent(fractions.memory));
  return "";
}

}  // namespace

core::Diagnosis classify(const Facts& facts) {
  core::Diagnosis diagnosis;
  diagnosis.theory = by_theory(facts, diagnosis.reason);
  const auto measured = measured_of(facts);
  diagnosis.measured = by_launches(facts, diagnosis.reason);
  if (!diagnosis.measured)
    diagnosis.measured = measured.any ? by_counters(measured, diagnosis.reason)
                                      : by_clock(facts, diagnosis.theory, diagnosis.reason);
  // Theory knows memory from compute; that neither is reached, only a measurement can tell.
  if (diagnosis.measured == Bound::launch || diagnosis.measured == Bound::latency)
    diagnosis.bound = *diagnosis.measured;
  else
    diagnosis.bound = diagnosis.theory.value_or(diagnosis.measured.value_or(Bound::mixed));
  diagnosis.disagreement = disagreement_of(diagnosis.theory, diagnosis.measured, measured);
  if (only_recorded(facts)) diagnosis.reason += kernels_text(facts);
  if (!diagnosis.theory && !diagnosis.measured)
    diagnosis.reason += "Nothing tells what limits it. ";
  if (!diagnosis.reason.empty() && diagnosis.reason.back() == ' ') diagnosis.reason.pop_back();
  return diagnosis;
}

}  // namespace hone::profile
