#pragma once
// The guard `arrival`: nothing of a candidate's works on the inputs of a call before the call begins. A process that is
// stopped can have queued work on the device, which waits for the inputs, and a helper process could have been left.
// So no other process may be alive when the inputs are written, the device must be idle before they are, idle again
// after other inputs were written in their place, and not be at work when they have come. One object per candidate and
// case, on the judge's thread.
#include <functional>
#include <vector>

#include "judge/finding.h"
#include "judge/job.h"
#include "judge/secrets.h"

namespace hone::judge {

// How long it takes until the device has read a part of this result.
double settle_seconds(device::Workbench& bench, device::Span result);
// Whether no other process works on the device, as probes tell it: each is the seconds that a small piece of work of
// the judge's took. Processes take turns on a device, so a piece that meets other work waits for a slice of time; now
// and then one slips in between.
bool is_idle(const std::function<double()>& probe);

// How often the device was at work when the inputs of a call had come. One slow probe proves nothing; work that waits
// for inputs is there in call after call.
class ArrivalTally {
 public:
  void add(double probe_seconds);
  bool convicts() const;
  int calls() const { return calls_; }
  int busy() const { return busy_; }

 private:
  int calls_ = 0, busy_ = 0;
};

class Arrival {
 public:
  Arrival(const core::Task& task, device::Workbench& bench, Secrets& secrets, const GuardSet& guards,
          const core::DeviceInfo& info);

  // When the buffers of a call are mapped and its inputs are about to be written; the runner is stopped.
  MaybeFinding before_inputs(const Bound& bound, const std::vector<Job>& jobs);
  // When they have been written.
  MaybeFinding after_inputs(const Bound& bound, const std::vector<Job>& jobs);

 private:
  bool can_wait(const Bound& bound) const;  // queued work of the candidate's, on the device
  bool device_is_idle(const Job& job);
  Finding busy(const std::string& when) const;
  void lay_out_decoy(const Job& job, bool first);

  const core::Task& task_;
  device::Workbench& bench_;
  Secrets& secrets_;
  const GuardSet& guards_;
  const core::DeviceInfo& info_;
  const core::Capabilities device_;
  ArrivalTally tally_;
};

}  // namespace hone::judge
