#include "judge/compare_case.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "core/stats.h"
#include "judge/replay.h"
#include "judge/values.h"

namespace hone::judge {

using base::Failure;

namespace {

constexpr int first_calls = 3;  // that tell how long one takes, whether batches overlap, and which inputs are slow

// b's scratch may have the name of a's.
core::ResolvedPlan with_other_scratch(core::ResolvedPlan plan) {
  for (auto& buffer : plan.buffers)
    if (buffer.role == core::ResolvedBuffer::Role::scratch) buffer.name += "'";
  return plan;
}

std::vector<core::ResolvedBuffer> joined(const core::ResolvedPlan& first, const core::ResolvedPlan& second) {
  auto all = first.buffers;
  for (const auto& buffer : second.buffers)
    if (buffer.role == core::ResolvedBuffer::Role::scratch) all.push_back(buffer);
  return all;
}

// The median time of a call over a few batches.
base::Result<double, Finding> median_of_batches(Trial& trial, std::size_t calls) {
  std::vector<double> seconds;
  for (int i = 0; i < first_calls; ++i) {
    const auto called = trial.time(any_of(trial, trial.known(), calls));
    if (!called) return Failure{called.error()};
    seconds.push_back(called->seconds);
  }
  return core::median(seconds);
}

bool varies(const Trial& trial, const std::vector<double>& seconds) {
  const auto [fastest, slowest] = std::minmax_element(seconds.begin(), seconds.end());
  return depends_on_values(trial.facts().clock, *fastest, *slowest);
}

}  // namespace

base::Result<std::unique_ptr<CaseContest>, SideFinding> CaseContest::make(Judge& judge, const Both<Ready*>& ready,
                                                                          const core::Case& which, int calls_per_letter,
                                                                          bool drop_others) {
  constexpr std::size_t timed_inputs = 4, checked_inputs = 2;
  Both<core::ResolvedPlan> plans;
  for (const Side side : both_sides) {
    auto plan = fitted_plan(judge, *ready[side], which);
    if (!plan) return Failure{SideFinding{side, in_case(which.name, rejection(plan.error()))}};
    plans[side] = side == side_a ? *std::move(plan) : with_other_scratch(*std::move(plan));
  }
  auto working = std::make_shared<BufferSet>(judge.bench(), joined(plans[side_a], plans[side_b]));
  Both<std::unique_ptr<CandidateTrial>> trials;
  for (const Side side : both_sides) {
    auto trial = make_trial_on(judge, *ready[side], which, std::move(plans[side]),
                               which.timed ? timed_inputs : checked_inputs, working, drop_others);
    if (!trial) return Failure{SideFinding{side, trial.error()}};
    trials[side] = std::move(*trial);
  }
  // Where one of them has host code of its own, its report is not believed: both are timed by the judge's clock.
  const bool by_judge = trials[side_a]->facts().can_remember || trials[side_b]->facts().can_remember;
  for (const Side side : both_sides) {
    JudgedBy judged_by{by_judge, {}};
    auto& parts = trials[side]->parts();
    if (trials[side]->facts().hostile && core::capabilities(judge.info()).queues_work)
      judged_by.cost.settle = judge.python_costs().known(judge, which, parts.plan, *parts.working).settle;
    trials[side]->judge_by(judged_by);
  }
  return std::unique_ptr<CaseContest>(new CaseContest(which, std::move(trials), calls_per_letter));
}

MaybeSideFinding CaseContest::verify() {
  Both<std::vector<double>> first;
  for (const Side side : both_sides) inputs_[side] = trials_[side]->known();
  for (const Entry* entry : trials_[side_a]->known())
    for (const Side side : both_sides) {
      // Both are verified before they are compared, whether timed calls are or not.
      if (!trials_[side]->guards().on(Guard::verify_timed))
        if (const auto verified = trials_[side]->call(*entry, usual_call(trials_[side]->parts().judge)); !verified)
          return SideFinding{side, verified.error()};
      const auto called = trials_[side]->time({entry});
      if (!called) return SideFinding{side, called.error()};
      first[side].push_back(called->seconds);
    }
  const bool batches = trials_[side_a]->facts().hostile && trials_[side_b]->facts().hostile;
  if (!which_.timed || batches || !trials_[side_a]->guards().on(Guard::values)) return std::nullopt;
  return varies(*trials_[side_a], first[side_a]) || varies(*trials_[side_b], first[side_b]) ? find_slowest_of_both()
                                                                                            : std::nullopt;
}

// A candidate whose time depends on the values of its inputs is called on those on which it is slowest, as it is
// judged.
MaybeSideFinding CaseContest::find_slowest_of_both() {
  Both<std::vector<InputGroup>> groups;
  for (const Entry* entry : trials_[side_a]->known()) {
    for (const Side side : both_sides) groups[side].push_back({{entry}, {}});
    for (int round = 0; round < first_calls; ++round)
      for (const Side side : both_sides) {
        const auto called = trials_[side]->time({entry});
        if (!called) return SideFinding{side, called.error()};
        groups[side].back().seconds.push_back(called->seconds);
      }
  }
  for (const Side side : both_sides)
    if (const InputGroup* slowest = slowest_of(trials_[side]->facts().clock, groups[side]))
      inputs_[side] = slowest->entries;
  return std::nullopt;
}

MaybeSideFinding CaseContest::choose_clock() {
  return trials_[side_a]->facts().hostile && trials_[side_b]->facts().hostile ? use_batches() : std::nullopt;
}

// Where the calls of either overlap, both are timed call by call.
MaybeSideFinding CaseContest::use_batches() {
  auto& [judge, which, plan, working, bound, caller] = trials_[side_a]->parts();
  PythonCost cost;
  if (core::capabilities(judge.info()).device_clock) cost = judge.python_costs().known(judge, which, plan, *working);
  Both<double> alone = {0, 0};
  for (const Side side : both_sides) {
    trials_[side]->judge_by({true, cost});
    const auto seconds = median_of_batches(*trials_[side], 1);
    if (!seconds) return SideFinding{side, seconds.error()};
    alone[side] = *seconds;
  }
  const std::size_t inputs = trials_[side_a]->known().size();
  std::size_t calls =
      batch_size(batch_limits(trials_[side_a]->facts().clock), std::min(alone[side_a], alone[side_b]), cost.request,
                 allocated_bytes(*working), working->all().size(), judge.bench().free_bytes(), inputs);
  if (judge.options().calls_per_batch > 0 && inputs > 1) calls = judge.options().calls_per_batch;
  if (calls < 2 || !judge.options().guards.on(Guard::fresh_addresses)) return std::nullopt;
  auto batch = std::make_shared<Batch>(judge.bench(), *working);
  batch->grow(calls);
  bool overlaps = false;
  for (const Side side : both_sides) {
    if (auto problem = trials_[side]->use_batch(batch)) return SideFinding{side, *std::move(problem)};
    const auto seconds = median_of_batches(*trials_[side], calls);
    if (!seconds) return SideFinding{side, seconds.error()};
    overlaps = overlaps || !trials_[side]->overlap(*seconds, alone[side]).empty();
  }
  if (!overlaps) calls_ = calls;
  return std::nullopt;
}

// The mean logarithm of a letter's times.
base::Result<double, Finding> CaseContest::letter(Side side) {
  double sum = 0;
  for (int i = 0; i < calls_per_letter_; ++i) {
    const auto called = trials_[side]->time(any_of(*trials_[side], inputs_[side], calls_));
    if (!called) return Failure{called.error()};
    if (!(called->seconds > 0))  // it has no logarithm, and no work was done
      return Failure{no_activity(which_.name)};
    times_[side].push_back(called->seconds);
    sum += std::log(called->seconds);
  }
  return sum / calls_per_letter_;
}

MaybeSideFinding CaseContest::sample_first_beforehand() {
  const auto time = letter(side_a);
  if (!time) return SideFinding{side_a, time.error()};
  beforehand_.push_back(*time);
  return std::nullopt;
}

MaybeSideFinding CaseContest::sample_block(int index) {
  Both<double> logs = {0, 0};
  // Which one is A changes at random from block to block, so that neither is always first.
  const bool swapped = trials_[side_a]->random_below(2) == 1;
  for (const char name : {'a', 'b', 'b', 'a'}) {
    const Side side = (name == 'a') != swapped ? side_a : side_b;
    if (side == side_a && !beforehand_.empty()) {
      logs[side_a] += beforehand_[static_cast<std::size_t>(index)];
      continue;
    }
    const auto time = letter(side);
    if (!time) return SideFinding{side, time.error()};
    logs[side] += *time;
  }
  log_ratios_.push_back((logs[side_b] - logs[side_a]) / 2);
  return std::nullopt;
}

MaybeSideFinding CaseContest::check_replay() {
  Both<MaybeFinding> found;
  for (const Side side : both_sides) {
    // The other side's check may have given up inputs that both were called on.
    trials_[side]->restore_known(trials_[side]->known().size());
    try {
      found[side] = check_replay_in_comparison(*trials_[side], times_[side], calls_);
    } catch (const base::Error& error) {
      // Host code of the other side can take the memory that unseen inputs need.
      const Side other = side == side_a ? side_b : side_a;
      if (!trials_[other]->facts().hostile) throw;
      return SideFinding{other, memory_taken(which_.name, error.what())};
    }
  }
  for (const Side side : both_sides)
    if (found[side]) return SideFinding{side, *std::move(found[side])};
  return std::nullopt;
}

}  // namespace hone::judge
