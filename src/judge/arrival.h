#pragma once
// The guard `arrival`: nothing of a candidate's works on the inputs of a call before the call
// begins. A process that is stopped can have queued work on the device, which waits for the inputs,
// and a helper process could have been left. So no other process may be alive when the inputs are
// written, and from then until the call begins a kernel of the judge's watches the device
// (device::TensorOps::begin_watch): it sees whatever another process does there for longer than it
// takes to give way to it. Work that waits for its turn until the watch is over would begin before
// the clock does; so in half of the calls other inputs are written first, and the watch goes on for
// longer than a turn takes to come: what waits for inputs to change shows itself then. One object
// per candidate and case, on the judge's thread.
#include "judge/batch_call.h"
#include "judge/finding.h"
#include "judge/secrets.h"

namespace hone::judge {

// Whether a gap in a watch of the device is work of another process.
bool is_of_another(double gap);
// Whether a watch of this device met no work of another process, over the time in which a waiting
// one gets its turn.
bool is_quiet(device::TensorOps& ops);

// How often the device worked for another process before a call began. A program of the system's
// may do so once; work that waits for inputs is there in call after call.
class ArrivalTally {
 public:
  void add(double longest_gap);
  bool convicts() const;
  int calls() const { return calls_; }
  int busy() const { return busy_; }

 private:
  int calls_ = 0, busy_ = 0;
};

class Arrival {
 public:
  Arrival(device::TensorOps& ops, Secrets& secrets, const GuardSet& guards,
          const core::DeviceInfo& info);

  // When the buffers of a call are mapped and its inputs are about to be written; the runner is
  // stopped.
  MaybeFinding check_processes(const BoundCandidate& bound) const;
  // From here on the device is watched, where the candidate can have queued work. How many sets of
  // other inputs are to be written before the call's own, each followed by wait_for_turn().
  int begin(const BoundCandidate& bound);
  void wait_for_turn() const;
  // The call is about to begin.
  MaybeFinding end();

 private:
  device::TensorOps& ops_;
  Secrets& secrets_;
  const GuardSet& guards_;
  const core::DeviceInfo& info_;
  const core::Capabilities device_;
  bool watches_ = false, others_first_ = false;
  ArrivalTally tally_;  // of calls with other inputs before their own
};

}  // namespace hone::judge
