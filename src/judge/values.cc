#include "judge/values.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/stats.h"

namespace hone::judge {

using base::Failure;

namespace {

// Without inputs that have made room for others.
std::vector<InputGroup> still_known(const std::vector<InputGroup>& groups, const Entries& known) {
  std::vector<InputGroup> left;
  for (InputGroup group : groups) {
    std::erase_if(group.entries, [&](const Entry* entry) {
      return std::find(known.begin(), known.end(), entry) == known.end();
    });
    if (!group.entries.empty()) left.push_back(std::move(group));
  }
  return left;
}

// One slow call is chance; the groups differ where their medians do.
bool by_median(const InputGroup& a, const InputGroup& b) {
  return core::median(a.seconds) < core::median(b.seconds);
}

}  // namespace

const InputGroup* slowest_of(core::ClockKind clock, const std::vector<InputGroup>& groups) {
  const auto never_called = [](const InputGroup& group) { return group.seconds.empty(); };
  if (groups.size() < 2 || std::any_of(groups.begin(), groups.end(), never_called)) return nullptr;
  const auto [fastest, slowest] = std::minmax_element(groups.begin(), groups.end(), by_median);
  const bool depends =
      depends_on_values(clock, core::median(fastest->seconds), core::median(slowest->seconds));
  return depends ? &*slowest : nullptr;
}

base::Result<std::optional<Slowest>, Finding> find_slowest(Trial& trial,
                                                           const std::vector<InputGroup>& all,
                                                           std::size_t calls,
                                                           std::size_t confirmations) {
  constexpr std::size_t fewest_to_take_back = 2;
  const std::optional<Slowest> none;
  const auto groups = still_known(all, trial.known());
  const core::ClockKind clock = trial.facts().clock;
  const InputGroup* slowest = slowest_of(clock, groups);
  if (slowest == nullptr) return none;
  const auto fastest = std::min_element(groups.begin(), groups.end(), by_median);
  std::vector<TimedCalls> fast, slow;
  while (slow.size() < confirmations) {
    for (const bool is_slow : {false, true}) {
      const auto called = trial.time(any_of(trial, (is_slow ? *slowest : *fastest).entries, calls));
      if (!called) return Failure{called.error()};
      (is_slow ? slow : fast).push_back(*called);
    }
    // By the fastest call: one that was slow by chance, or on purpose, takes nothing back.
    const auto times = seconds_in(fast);
    if (slow.size() >= std::min(fewest_to_take_back, confirmations) &&
        !depends_on_values(clock, *std::min_element(times.begin(), times.end()),
                           core::median(seconds_in(slow))))
      return none;
  }
  Slowest found{*slowest, std::move(slow), core::median(seconds_in(fast)), 0};
  found.slow_median = core::median(seconds_in(found.slow));
  if (!depends_on_values(clock, found.fast_median, found.slow_median)) return none;
  return std::optional<Slowest>{std::move(found)};
}

GuardResult check_values(Trial& trial, const Timing& timing, const std::vector<InputGroup>& groups,
                         std::size_t calls, const SamplingRule& rule) {
  if (!trial.guards().on(Guard::values)) return std::optional<Correction>{};
  const auto found = find_slowest(trial, groups, calls, rule.fewest);
  if (!found) return Failure{found.error()};
  if (!*found) return std::optional<Correction>{};
  const Slowest& slowest = **found;
  Correction correction;
  // These inputs were called before and can be recognised: they never make a time shorter.
  if (slowest.slow_median > core::median(timing.samples)) {
    correction.samples = seconds_in(slowest.slow);
    correction.judge_seconds = judge_seconds_in(slowest.slow);
  }
  correction.label =
      in_case(trial.facts().case_name,
              label(Guard::values,
                    fmt::format("its time depends on the values of its inputs: {:.4g} ms on some, "
                                "{:.4g} ms on others of the same shapes; the longer one counts",
                                1e3 * slowest.fast_median, 1e3 * slowest.slow_median)));
  return std::optional<Correction>{std::move(correction)};
}

}  // namespace hone::judge
