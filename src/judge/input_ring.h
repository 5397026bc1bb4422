#pragma once
// How device code is called in a comparison: one request makes a call on each of a few inputs,
// which lie in buffers of their own and stay there, so that a call costs little beside the kernel
// itself. The inputs have nothing in common, and results are overwritten before every request: no
// call finds another one's answer in memory. Owned by the case of a comparison, on the judge's
// thread.
#include <memory>

#include "judge/trial_pair.h"

namespace hone::judge {

// How many calls a request should have: several that last some milliseconds together, because the
// clock of a device that is limited by its power varies over milliseconds, as far as memory and the
// reference allow. `set_bytes`: of one more call's buffers, with its inputs and expected values.
std::size_t ring_size(double seconds_per_call, double seconds_per_input, std::uint64_t set_bytes,
                      std::uint64_t free_bytes);

class InputRing {
 public:
  // Of a pair whose sides change places; `seconds` is the time of a call.
  static base::Result<std::unique_ptr<InputRing>, SideFinding> make(Judge& judge, TrialPair& pair,
                                                                    const core::Case& which,
                                                                    double seconds);
  // The mean of a call on each of the inputs.
  base::Result<double, SideFinding> time(Side side);
  // Calls that do not count; `elsewhere`: at new addresses, where the memory stays from then on.
  MaybeSideFinding warm_up(Side side, bool elsewhere);
  std::size_t size() const { return entries_.size(); }

 private:
  InputRing(TrialPair& pair, const Entry* first) : pair_(pair), entries_{first} {}

  TrialPair& pair_;
  Entries entries_;
  UnseenInputs own_;  // all of them but the first
};

}  // namespace hone::judge
