#pragma once
// The two trials of a comparison on one case. Device code holds no state: both sides work on the
// same buffers, and each can be moved to the other's runner. Sides that can hold state (host code,
// native code) have buffers of their own, so that what one writes is never found in the other's
// results, and stay where they are. Lives no longer than the judge and the two loaded candidates;
// on the judge's thread.
#include <memory>

#include "judge/candidate_trial.h"
#include "judge/compare_sides.h"
#include "judge/turn.h"

namespace hone::judge {

// Whether either side can keep something between calls.
bool hold_state(const Judge& judge, const core::Candidate& a, const core::Candidate& b);
// How many inputs a comparison has of a case, as far as there is memory. The truth for large ones
// takes longer than the comparison of two kernels that hold no state; those that do could remember
// few inputs more easily.
constexpr std::size_t inputs_wanted(const core::Case& which, bool hold_state) {
  return which.timed && hold_state ? 4 : 2;
}
// Whether their scratch can be the same memory in all timed cases.
bool have_like_scratch(const Judge& judge, const Both<Ready*>& ready,
                       const std::vector<const core::Case*>& cases);
// Whether both can be loaded in either runner.
bool can_exchange(const Judge& judge, const Both<Ready*>& ready);

// How many inputs of a case fit beside buffers of so many bytes, up to `wanted`; or how many bytes
// are missing for one.
base::Result<std::size_t, std::uint64_t> inputs_that_fit(std::uint64_t buffers, std::uint64_t input,
                                                         std::uint64_t reference,
                                                         std::uint64_t free, std::size_t drawn,
                                                         std::size_t wanted);

class TrialPair {
 public:
  // `drop_others`: the runners forget the buffers of earlier pairs.
  static base::Result<std::unique_ptr<TrialPair>, SideFinding> make(Judge& judge,
                                                                    const Both<Ready*>& ready,
                                                                    const core::Case& which,
                                                                    Turns& turns, bool exchange,
                                                                    bool drop_others);

  CandidateTrial& trial(Side side) { return *trials_[side]; }
  bool both_have_host_code() const {
    return trials_[side_a]->facts().has_host_code && trials_[side_b]->facts().has_host_code;
  }
  bool share_buffers() const { return !own_buffers_; }
  // Whether the other side could be the cause of what this one fails by.
  bool can_be_starved(Side side) const;
  // Before a side is called by anything but time().
  MaybeSideFinding begin_turn(Side side);
  base::Result<TimedCalls, SideFinding> time(Side side, const Entries& entries);
  // Of device code: buffers for several calls in one request, in both runners; then calls on inputs
  // that stay there.
  MaybeSideFinding use_sets(const std::shared_ptr<Batch>& sets);
  base::Result<TimedCalls, SideFinding> time_in_place(Side side, const Entries& entries,
                                                      bool elsewhere);

  // Each side goes to the other's runner, where its image has to be loaded.
  void exchange();
  runner::Runner& runner(Side side) { return *trials_[side]->parts().bound.runner; }
  // New buffers in other places, with new trials on them.
  MaybeSideFinding renew(bool drop_others);

 private:
  TrialPair(Judge& judge, const Both<Ready*>& ready, const core::Case& which, Turns& turns);
  MaybeSideFinding make_trials(bool drop_others);
  MaybeSideFinding choose_inputs(const Both<core::ResolvedPlan>& plans);
  MaybeSideFinding bind_exchanged();
  void choose_clock();

  Judge& judge_;
  const Both<Ready*>& ready_;
  const core::Case& which_;
  Turns& turns_;
  const bool own_buffers_;
  std::size_t inputs_ = 0;
  Both<std::unique_ptr<CandidateTrial>> trials_;
  Both<CandidateTrial::LoadedRunner> exchanged_;  // each side in the other's runner
};

}  // namespace hone::judge
