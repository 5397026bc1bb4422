#include "judge/compare_case.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "judge/replay.h"
#include "judge/sequence.h"
#include "judge/values.h"

namespace hone::judge {

using base::Failure;

namespace {

constexpr double long_call =
    1e-3;  // seconds: what a request costs beside it is small, and its time varies little
constexpr int first_calls =
    3;  // that tell how long one takes, whether batches overlap, and which inputs are slow

// The median time of a call over a few batches.
base::Result<double, SideFinding> median_of_batches(TrialPair& pair, Side side, std::size_t calls) {
  std::vector<double> seconds;
  for (int i = 0; i < first_calls; ++i) {
    const auto called = pair.time(side, any_of(pair.trial(side), pair.trial(side).known(), calls));
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

base::Result<std::unique_ptr<CaseContest>, SideFinding> CaseContest::make(
    Judge& judge, const Both<Ready*>& ready, const core::Case& which, const CompareRule& rule,
    Turns& turns, bool drop_others) {
  auto pair =
      TrialPair::make(judge, ready, which, turns, rule.exchange && which.timed, drop_others);
  if (!pair) return Failure{pair.error()};
  return std::unique_ptr<CaseContest>(new CaseContest(which, std::move(*pair), rule));
}

MaybeSideFinding CaseContest::verify() {
  Both<std::vector<double>> first;
  for (const Side side : both_sides) inputs_[side] = pair_->trial(side).known();
  for (const Entry* entry : inputs_[side_a])
    for (const Side side : both_sides) {
      CandidateTrial& trial = pair_->trial(side);
      // Both are verified before they are compared, whether timed calls are or not.
      if (!trial.guards().on(Guard::verify_timed)) {
        if (auto problem = pair_->begin_turn(side)) return problem;
        if (const auto verified = trial.call(*entry, usual_call(trial.parts().judge)); !verified)
          return SideFinding{side, verified.error()};
      }
      const auto called = pair_->time(side, {entry});
      if (!called) return called.error();
      first[side].push_back(called->seconds);
    }
  if (!which_.timed || pair_->both_hostile() || !pair_->trial(side_a).guards().on(Guard::values))
    return std::nullopt;
  varies_ =
      varies(pair_->trial(side_a), first[side_a]) || varies(pair_->trial(side_b), first[side_b]);
  return varies_ ? find_slowest_of_both() : std::nullopt;
}

// A candidate whose time depends on the values of its inputs is called on those on which it is
// slowest, as it is judged.
MaybeSideFinding CaseContest::find_slowest_of_both() {
  Both<std::vector<InputGroup>> groups;
  for (const Entry* entry : pair_->trial(side_a).known()) {
    for (const Side side : both_sides) groups[side].push_back({{entry}, {}});
    for (int round = 0; round < first_calls; ++round)
      for (const Side side : both_sides) {
        const auto called = pair_->time(side, {entry});
        if (!called) return called.error();
        groups[side].back().seconds.push_back(called->seconds);
      }
  }
  for (const Side side : both_sides)
    if (const InputGroup* slowest = slowest_of(pair_->trial(side).facts().clock, groups[side]))
      inputs_[side] = slowest->entries;
  return std::nullopt;
}

MaybeSideFinding CaseContest::choose_clock(Judge& judge) {
  if (pair_->both_hostile()) return use_batches();
  if (!exchanges_ || varies_) return std::nullopt;
  const auto seconds = pair_->time(side_a, {inputs_[side_a].front()});
  if (!seconds) return seconds.error();
  auto ring = InputRing::make(judge, *pair_, which_, seconds->seconds);
  if (!ring) return ring.error();
  ring_ = std::move(*ring);
  if (ring_->size() > 1 || seconds->seconds > long_call) calls_per_letter_ = 1;
  return std::nullopt;
}

// Where the calls of either overlap, both are timed call by call.
MaybeSideFinding CaseContest::use_batches() {
  auto& [judge, which, plan, working, bound, caller] = pair_->trial(side_a).parts();
  if (core::capabilities(judge.info()).device_clock)
    cost_ = judge.python_costs().known(judge, which, plan, *working);
  Both<double> alone = {0, 0};
  for (const Side side : both_sides) {
    pair_->trial(side).judge_by({true, cost_});
    const auto seconds = median_of_batches(*pair_, side, 1);
    if (!seconds) return seconds.error();
    alone[side] = *seconds;
  }
  const std::size_t inputs = pair_->trial(side_a).known().size();
  const std::uint64_t sets = pair_->share_buffers() ? 1 : 2;
  std::size_t calls =
      batch_size(batch_limits(pair_->trial(side_a).facts().clock),
                 std::min(alone[side_a], alone[side_b]), cost_.request, allocated_bytes(*working),
                 working->all().size(), judge.tensor_ops().free_bytes() / sets, inputs);
  if (judge.options().calls_per_batch > 0 && inputs > 1) calls = judge.options().calls_per_batch;
  if (calls < 2 || !judge.options().guards.on(Guard::fresh_addresses)) return std::nullopt;
  if (auto problem = give_batches(calls)) return problem;
  bool overlaps = false;
  for (const Side side : both_sides) {
    const auto seconds = median_of_batches(*pair_, side, calls);
    if (!seconds) return seconds.error();
    overlaps = overlaps || !pair_->trial(side).overlap(*seconds, alone[side]).empty();
  }
  if (!overlaps) calls_ = calls;
  return std::nullopt;
}

MaybeSideFinding CaseContest::give_batches(std::size_t calls) {
  std::shared_ptr<Batch> batch;
  for (const Side side : both_sides) {
    CandidateTrial& trial = pair_->trial(side);
    if (!batch || !pair_->share_buffers()) {
      batch = std::make_shared<Batch>(trial.parts().judge.tensor_ops(), *trial.parts().working);
      batch->grow(calls);
    }
    if (auto problem = trial.use_batch(batch)) return SideFinding{side, *std::move(problem)};
  }
  return std::nullopt;
}

// As often as in an evaluation, and without being counted: a candidate that can hold state could
// otherwise tell a comparison from an evaluation, and leave out what only variants need.
MaybeSideFinding CaseContest::call_variant_now_and_then(Side side) {
  CandidateTrial& trial = pair_->trial(side);
  const Entries& variants = trial.mix().variants;
  if (variants.empty() || trial.random_below(one_variant_in) != 0) return std::nullopt;
  Entries batch = any_of(trial, inputs_[side], calls_);
  batch[trial.random_below(batch.size())] = variants[trial.random_below(variants.size())];
  const auto called = pair_->time(side, batch);
  return called ? std::nullopt : MaybeSideFinding(called.error());
}

base::Result<double, SideFinding> CaseContest::call(Side side) {
  if (ring_) return ring_->time(side);
  if (auto problem = call_variant_now_and_then(side)) return Failure{*std::move(problem)};
  const auto called = pair_->time(side, any_of(pair_->trial(side), inputs_[side], calls_));
  if (!called) return Failure{called.error()};
  return called->seconds;
}

// The mean logarithm of a letter's times.
base::Result<double, SideFinding> CaseContest::letter(Side side) {
  double sum = 0;
  for (int i = 0; i < calls_per_letter_; ++i) {
    const auto seconds = call(side);
    if (!seconds) return Failure{seconds.error()};
    if (!(*seconds > 0))  // it has no logarithm, and no work was done
      return Failure{SideFinding{side, no_activity(which_.name)}};
    times_[side].push_back(*seconds);
    sum += std::log(*seconds);
  }
  return sum / calls_per_letter_;
}

MaybeSideFinding CaseContest::sample_first_beforehand() {
  const auto time = letter(side_a);
  if (!time) return time.error();
  beforehand_.push_back(*time);
  return std::nullopt;
}

MaybeSideFinding CaseContest::sample_block() {
  Both<double> logs = {0, 0};
  // Which one is A is a matter of chance, so that neither is always first; in the second block of a
  // round it is the other one, so that what the first call of a block costs more cancels.
  swapped_ = block_logs_.empty() ? pair_->trial(side_a).random_below(2) == 1 : !swapped_;
  if (std::exchange(is_cold_, false))
    if (auto problem = warm_up(swapped_ ? side_b : side_a)) return problem;
  for (const char name : {'a', 'b', 'b', 'a'}) {
    const Side side = (name == 'a') != swapped_ ? side_a : side_b;
    if (side == side_a && !beforehand_.empty()) {
      logs[side_a] += beforehand_[log_ratios_.size()];
      continue;
    }
    const auto time = letter(side);
    if (!time) return time.error();
    logs[side] += *time;
  }
  block_logs_.push_back((logs[side_b] - logs[side_a]) / 2);
  return std::nullopt;
}

void CaseContest::end_round() {
  const double sum = std::accumulate(block_logs_.begin(), block_logs_.end(), 0.0);
  log_ratios_.push_back(sum / static_cast<double>(block_logs_.size()));
  block_logs_.clear();
}

// A call of each that does not count, in the order of the block that follows. A call after one of
// the same process is not quite like a call after one of the other (a device that waited for the
// change has cooled down a little), and over the two blocks of a round each side has as many of
// both.
MaybeSideFinding CaseContest::warm_up(Side first) {
  for (const Side side : {first, other(first)}) {
    if (ring_) {
      // Where memory lies in a process moves times. Over a round each side has had both processes'
      // places, and the next round has others.
      if (auto problem = ring_->warm_up(side, block_logs_.empty())) return problem;
      continue;
    }
    if (const auto called = pair_->time(side, any_of(pair_->trial(side), inputs_[side], calls_));
        !called)
      return called.error();
  }
  return std::nullopt;
}

MaybeSideFinding CaseContest::renew(bool drop_others) {
  if (auto problem = pair_->renew(drop_others)) return problem;
  if (pair_->both_hostile())
    for (const Side side : both_sides) pair_->trial(side).judge_by({true, cost_});
  return calls_ > 1 ? give_batches(calls_) : std::nullopt;
}

MaybeSideFinding CaseContest::check_replay() {
  Both<MaybeFinding> found;
  for (const Side side : both_sides) {
    CandidateTrial& trial = pair_->trial(side);
    if (auto problem = pair_->begin_turn(side)) return problem;
    // The other side's check may have released inputs that both were called on.
    trial.restore_known(trial.known().size());
    try {
      found[side] = check_replay_in_comparison(trial, times_[side], calls_);
    } catch (const base::Error& error) {
      // Host code of the other side can take the memory that unseen inputs need.
      if (!pair_->trial(other(side)).facts().hostile) throw;
      return SideFinding{std::nullopt, memory_taken(which_.name, error.what())};
    }
  }
  for (const Side side : both_sides)
    if (found[side]) return blamed(side, *std::move(found[side]), pair_->can_be_starved(side));
  return std::nullopt;
}

}  // namespace hone::judge
