#pragma once
// The guard `values`: where inputs of the same shapes take very different times, a median over all
// of them says little. The time on the slowest inputs counts, and is labelled. Inputs that looked
// slow by chance are ruled out by calls on them and on the fastest ones in turn.
#include "judge/timing.h"

namespace hone::judge {

// The group with the longest median, where it depends on the inputs' values; null where it does
// not, or where a group was never called.
const InputGroup* slowest_of(core::ClockKind clock, const std::vector<InputGroup>& groups);

// Inputs on which a candidate is confirmed to be slower than on others.
struct Slowest {
  InputGroup group;
  std::vector<TimedCalls> slow;  // the confirming calls
  double fast_median = 0, slow_median = 0;
};
// `confirmations` calls are made on each of the two groups, in batches of `calls`; nothing where
// the times do not depend on the inputs.
base::Result<std::optional<Slowest>, Finding> find_slowest(Trial& trial,
                                                           const std::vector<InputGroup>& groups,
                                                           std::size_t calls,
                                                           std::size_t confirmations);

GuardResult check_values(Trial& trial, const Timing& timing, const std::vector<InputGroup>& groups,
                         std::size_t calls, const SamplingRule& rule);

}  // namespace hone::judge
