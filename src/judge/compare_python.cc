#include "judge/compare_python.h"

#include <algorithm>

#include "core/stats.h"

namespace hone::judge {
namespace {

constexpr int first_calls = 3;  // that tell how long one takes, and whether those in a row overlap

}  // namespace

base::Result<double, CallFailure> PythonPair::timed(Side& side, std::size_t calls) { return timed(side, drawn(calls)); }

std::vector<const Entry*> PythonPair::drawn(std::size_t calls) {
  std::vector<const Entry*> row;
  while (row.size() < calls) row.push_back(entries_[judge_.secrets().below(entries_.size())]);
  return row;
}

base::Result<double, CallFailure> PythonPair::time_with(bool is_a, const Unseen& unseen) {
  return timed(side(is_a), with_unseen(drawn(calls_ - unseen.size()), unseen, judge_.secrets()));
}

base::Result<double, CallFailure> PythonPair::timed(Side& side, const std::vector<const Entry*>& entries) {
  const std::size_t calls = entries.size();
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < calls; ++i)
    jobs.push_back({&batch_.set(i), i == 0 ? &side.bound->bindings : &side.bindings[i - 1], entries[i]});
  const auto called = caller_.call(*side.bound, jobs, {true, false, -1, judge_.options().call_seconds});
  if (!called) return base::Failure{called.error()};
  return judged_seconds(cost_, *called, calls);
}

base::Result<double, CallFailure> PythonPair::median_of(Side& side, std::size_t calls) {
  std::vector<double> seconds;
  for (int i = 0; i < first_calls; ++i) {
    const auto one = timed(side, calls);
    if (!one) return one;
    seconds.push_back(*one);
  }
  return core::median(seconds);
}

std::optional<PythonPair::Failed> PythonPair::prepare(const core::Case& which, const core::ResolvedPlan& plan) {
  const bool is_cpu = judge_.info().is_cpu;
  const auto& options = judge_.options();
  if (!is_cpu) cost_ = judge_.known_python_cost(which, plan, batch_.set(0));
  double alone[2] = {0, 0};
  for (const bool is_a : {true, false}) {
    const auto seconds = median_of(side(is_a), 1);
    if (!seconds) return Failed{is_a, seconds.error()};
    alone[is_a ? 0 : 1] = *seconds;
  }
  const BatchLimits limits = batch_limits(is_cpu);
  const BufferSet& first = batch_.set(0);
  std::size_t calls = batch_size(limits, std::min(alone[0], alone[1]), cost_.word, allocated_bytes(first),
                                 first.all().size(), judge_.bench().free_bytes(), entries_.size());
  if (options.calls_in_a_row > 0 && entries_.size() > 1) calls = options.calls_in_a_row;
  if (calls < 2 || !options.guards.on(Guard::fresh_addresses)) return std::nullopt;
  batch_.grow(calls);
  bool overlaps = false;
  for (const bool is_a : {true, false}) {
    Side& one = side(is_a);
    for (std::size_t i = 1; i < calls; ++i) {
      auto bindings = share(*one.bound->runner, judge_.bench(), batch_.set(i));
      if (!bindings) return Failed{is_a, {bindings.error().outcome, {"limits", 40, true, "", bindings.error().text}}};
      one.bindings.push_back(*std::move(bindings));
    }
    const auto seconds = median_of(one, calls);
    if (!seconds) return Failed{is_a, seconds.error()};
    overlaps = overlaps || !judge_.overlap_of(plan, first, cost_, *seconds, alone[is_a ? 0 : 1]).empty();
  }
  if (!overlaps) calls_ = calls;
  return std::nullopt;
}

}  // namespace hone::judge
