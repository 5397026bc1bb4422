#pragma once
// Two candidates in Python side by side in one case: timed as each is alone, by calls in a row under the judge's clock,
// less what a word and a copy of the results cost (judge/batch.h). Where either's calls overlap, both are timed call by
// call. Lives no longer than the case's buffers, caller and bounds.
#include <optional>
#include <vector>

#include "judge/batch.h"
#include "judge/judge.h"
#include "judge/unseen.h"

namespace hone::judge {

class PythonPair {
 public:
  PythonPair(Judge& judge, BufferSet& working, Caller& caller, const Bound& a, const Bound& b,
             const std::vector<Entry*>& entries)
      : judge_(judge), batch_(judge.bench(), working), caller_(caller), sides_{{&a, {}}, {&b, {}}}, entries_(entries) {}

  // Whose fault it is, and which.
  struct Failed {
    bool is_a = true;
    CallFailure failure;
  };
  // Measures what calls cost, decides how many are made at one word, and shares the memory for them with both.
  std::optional<Failed> prepare(const core::Case& which, const core::ResolvedPlan& plan);
  // Seconds of a call, over as many as were decided on; verified like all calls.
  base::Result<double, CallFailure> time(bool is_a) { return timed(side(is_a), calls_); }
  std::size_t calls() const { return calls_; }
  // The same with these among them, at random places.
  base::Result<double, CallFailure> time_with(bool is_a, const Unseen& unseen);

 private:
  struct Side {
    const Bound* bound;
    std::vector<device::BindingSet> bindings;  // of all sets of the batch but the first
  };
  Side& side(bool is_a) { return sides_[is_a ? 0 : 1]; }
  std::vector<const Entry*> drawn(std::size_t calls);
  base::Result<double, CallFailure> timed(Side& side, std::size_t calls);
  base::Result<double, CallFailure> timed(Side& side, const std::vector<const Entry*>& entries);
  base::Result<double, CallFailure> median_of(Side& side, std::size_t calls);

  Judge& judge_;
  Batch batch_;
  Caller& caller_;
  Side sides_[2];
  const std::vector<Entry*>& entries_;
  PythonCost cost_;
  std::size_t calls_ = 1;
};

}  // namespace hone::judge
