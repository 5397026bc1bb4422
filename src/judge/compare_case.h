#pragma once
// Two candidates on one case, side by side: blocks of calls in turn, and the rounds that are made
// of them. Lives no longer than the judge and the two loaded candidates.
#include <memory>
#include <string>
#include <vector>

#include "judge/compare_rule.h"
#include "judge/input_ring.h"
#include "judge/trial_pair.h"

namespace hone::judge {

class CaseContest {
 public:
  static base::Result<std::unique_ptr<CaseContest>, SideFinding> make(
      Judge& judge, const Both<Ready*>& ready, const core::Case& which, const CompareRule& rule,
      Turns& turns, bool drop_others);
  // Calls both on every input, which also warms them up, and finds the inputs on which each is
  // slowest.
  MaybeSideFinding verify();
  // Both by device events, several calls to a request where they can change places; or both by the
  // judge's clock, in batches of calls where both are Python.
  MaybeSideFinding choose_clock(Judge& judge);
  // Without the guard `interleave`: all of the first candidate's times before any of the second's.
  MaybeSideFinding sample_first_beforehand();
  MaybeSideFinding sample_block();
  void end_round();  // of the blocks since the last one
  // Something has changed, and the first calls after that are often slower: they are not to count.
  void let_warm_up() { is_cold_ = true; }
  // New buffers for both.
  MaybeSideFinding renew(bool drop_others);
  // A comparison calls the same few inputs over and over: whether either has begun to remember
  // them.
  MaybeSideFinding check_replay();

  TrialPair& pair() { return *pair_; }
  const std::string& name() const { return which_.name; }
  CaseRounds rounds() const { return {log_ratios_, core::median(times_[side_a])}; }
  const std::vector<double>& times(Side side) const { return times_[side]; }

 private:
  MaybeSideFinding warm_up(Side first);
  CaseContest(const core::Case& which, std::unique_ptr<TrialPair> pair, const CompareRule& rule)
      : which_(which),
        pair_(std::move(pair)),
        exchanges_(rule.exchange),
        calls_per_letter_(rule.calls_per_letter) {}
  base::Result<double, SideFinding> call(Side side);
  MaybeSideFinding find_slowest_of_both();
  MaybeSideFinding use_batches();
  MaybeSideFinding give_batches(std::size_t calls);
  base::Result<double, SideFinding> letter(Side side);
  MaybeSideFinding call_variant_now_and_then(Side side);

  const core::Case& which_;
  std::unique_ptr<TrialPair> pair_;
  std::unique_ptr<InputRing> ring_;  // where both are called on it
  bool exchanges_, varies_ = false;  // the time of either depends on the values of its inputs
  int calls_per_letter_;             // or requests
  std::size_t calls_ = 1;            // per batch
  PythonCost cost_;                  // of both, where both are Python
  Both<Entries> inputs_;             // that each is called on: all, or those on which it is slowest
  Both<std::vector<double>> times_;
  bool swapped_ = false;  // in the last block, b came first
  bool is_cold_ = true;   // the next block begins with calls that do not count
  std::vector<double> block_logs_, log_ratios_;  // of b to a, by block of this round; by round
  std::vector<double> beforehand_;  // the first one's letters, only without the guard interleave
};

}  // namespace hone::judge
