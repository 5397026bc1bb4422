#pragma once
// Two candidates on one case, side by side: two trials over the same input and output buffers, each with scratch of its
// own. Lives no longer than the judge and the two loaded candidates.
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "judge/candidate_trial.h"

namespace hone::judge {

enum Side : std::size_t { side_a, side_b };
template <typename T>
using Both = std::array<T, 2>;
constexpr Both<Side> both_sides = {side_a, side_b};

// What was found, and about which of the two.
struct SideFinding {
  Side side;
  Finding finding;
};
using MaybeSideFinding = std::optional<SideFinding>;

class CaseContest {
 public:
  static base::Result<std::unique_ptr<CaseContest>, SideFinding> make(Judge& judge, const Both<Ready*>& ready,
                                                                      const core::Case& which, int calls_per_letter,
                                                                      bool drop_others);
  // Calls both on every input, which also warms them up, and finds the inputs on which each is slowest.
  MaybeSideFinding verify();
  // Both by device events, or both by the judge's clock, in batches of calls where both are Python.
  MaybeSideFinding choose_clock();
  // Without the guard `interleave`: all of the first candidate's times before any of the second's.
  MaybeSideFinding sample_first_beforehand();
  MaybeSideFinding sample_block(int index);
  // A comparison calls the same few inputs over and over: whether either has begun to remember them.
  MaybeSideFinding check_replay();

  const std::string& name() const { return which_.name; }
  const std::vector<double>& log_ratios() const { return log_ratios_; }  // of b to a, by block
  const std::vector<double>& times(Side side) const { return times_[side]; }

 private:
  CaseContest(const core::Case& which, Both<std::unique_ptr<CandidateTrial>> trials, int calls_per_letter)
      : which_(which), trials_(std::move(trials)), calls_per_letter_(calls_per_letter) {}
  MaybeSideFinding find_slowest_of_both();
  MaybeSideFinding use_batches();
  base::Result<double, Finding> letter(Side side);

  const core::Case& which_;
  Both<std::unique_ptr<CandidateTrial>> trials_;
  int calls_per_letter_;
  std::size_t calls_ = 1;  // per batch
  Both<Entries> inputs_;   // that each is called on: all, or those on which it is slowest
  Both<std::vector<double>> times_;
  std::vector<double> log_ratios_;
  std::vector<double> beforehand_;  // the first one's letters, only without the guard interleave
};

}  // namespace hone::judge
