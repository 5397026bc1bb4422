#pragma once
// A trial of a candidate that is loaded in a runner. Trials of two candidates may share working
// buffers (a comparison) and a batch of further ones. Lives no longer than the judge and the loaded
// candidate.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "judge/load.h"
#include "judge/python/batch.h"
#include "judge/trial.h"

namespace hone::judge {

// By which clock calls are timed, and what is taken off for what they cost by themselves.
struct JudgedBy {
  bool judge_clock = false;
  PythonCost cost;
};

class CandidateTrial final : public Trial {
 public:
  CandidateTrial(Judge& judge, const core::Case& which, core::ResolvedPlan plan,
                 std::shared_ptr<BufferSet> working, BoundCandidate bound, std::size_t entries);

  base::Result<CallResult, Finding> call(const Entry& entry, const CallOptions& options) override;
  base::Result<TimedCalls, Finding> time(const Entries& entries) override;
  base::Result<ClockPair, Finding> time_by_both_clocks(int calls, double seconds) override;
  std::size_t room_for_unseen() override;
  base::Result<UnseenInputs, Finding> draw_unseen(std::size_t count, Expected expected) override;
  void forget(const UnseenInputs& inputs) override;
  void restore_known(std::size_t count) override;
  std::string overlap(double batched, double alone) override;
  double now() const override;
  std::uint64_t random_below(std::uint64_t bound) override;

  // An input that it has not met, with its expected values where the reference is fast; null where
  // memory is short.
  std::unique_ptr<Entry> new_input();
  void judge_by(JudgedBy judged_by) { judged_by_ = judged_by; }
  // The most that counted beside a request: for work after its answer, and for preparing it.
  double most_late() const { return most_late_; }
  double most_early() const { return most_early_; }
  // As time(), for device code: inputs stay in memory of their own, each entry in the set of its
  // place in the batch. `elsewhere`: at new addresses, where it stays from then on.
  base::Result<TimedCalls, Finding> time_in_place(const Entries& entries, bool elsewhere);
  // Tells the runner of all sets of the batch but the first, which are the working buffers.
  MaybeFinding use_batch(std::shared_ptr<Batch> batch);
  // Gives the batch's memory to the next candidate, or back where there is little.
  void end_batch();
  // Lets calls on variants and on inputs made for this candidate come in between, as far as there
  // is memory. `with_its_own` false: only variants; the points of a search are all one
  // candidate's.
  MaybeFinding mix_in(core::Depth depth, bool with_its_own);

  // A runner that the candidate is loaded in, and its buffers there.
  struct LoadedRunner {
    BoundCandidate bound;
    std::vector<device::BindingSet> batch;  // of all sets but the first
  };
  void exchange(LoadedRunner& other);

  // What the procedures of one case share; the trial only holds them together.
  struct Parts {
    Judge& judge;
    const core::Case& which;
    core::ResolvedPlan plan;
    std::shared_ptr<BufferSet> working;
    BoundCandidate bound;
    Caller caller;
  };
  Parts& parts() { return parts_; }
  int calls_made() const { return calls_made_; }  // that ended well

 private:
  base::Result<TimedCalls, Finding> time_with(const Entries& entries, CallOptions options);
  base::Result<CallResult, Finding> run(const std::vector<BatchCall>& jobs,
                                        const CallOptions& options);
  MaybeFinding verify_afterwards(std::vector<BatchCall> jobs);
  const Entry* written_first();
  InputMix make_mix(core::Depth depth, bool with_its_own);
  void draw_unchecked(InputMix& mix);

  Parts parts_;
  int calls_made_ = 0;
  std::vector<std::unique_ptr<Entry>> of_its_own_, unchecked_;
  std::optional<UnseenInputs>
      written_first_;       // one, or none where memory is short; drawn when it is first needed
  double most_afterwards_;  // seconds for verifying after calls
  double afterwards_ = 0;   // that were spent
  JudgedBy judged_by_;
  double most_late_ = 0, most_early_ = 0;  // seconds
  std::size_t calls_before_ = 0;           // in the request before
  std::shared_ptr<Batch> batch_;
  std::vector<device::BindingSet> batch_bindings_;  // of all sets of the batch but the first
};

using TrialResult = base::Result<std::unique_ptr<CandidateTrial>, Finding>;
// On working buffers of its own.
TrialResult make_trial(Judge& judge, Ready& ready, const core::Case& which, core::ResolvedPlan plan,
                       std::size_t entries);
TrialResult make_trial_on(Judge& judge, Ready& ready, const core::Case& which,
                          core::ResolvedPlan plan, std::size_t entries,
                          std::shared_ptr<BufferSet> working, bool drop_others);

// Whether calls come in the order of sequence.h.
bool is_mixed(const Trial& trial, const core::Case& which);

// Host code can take the memory that unseen inputs were to have; it is rejected then.
Finding memory_taken(const std::string& case_name, const std::string& why);

// A timed call took no time.
Finding no_activity(const std::string& case_name);

// A call as verdicts are made on, with the judge's limit.
CallOptions usual_call(const Judge& judge);

}  // namespace hone::judge
