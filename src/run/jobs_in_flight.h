#pragma once
// The jobs of a run that are in flight: each with what is to be done with its result, on the
// driver's thread. Where jobs leave the machine the results of a trip are taken in whole, in the
// order of their names, once all that were submitted have been looked for: what a run decides then
// does not depend on which file was read first.
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "run/event_queue.h"
#include "run/judges.h"

namespace hone::run {

class JobsInFlight {
 public:
  explicit JobsInFlight(EventQueue& events) : events_(events) {}

  // For the judges that do the jobs; any thread. They end before the jobs does.
  JobCallback callback();
  void open(Judges& judges) { judges_ = &judges; }
  const Judges& judges() const { return *judges_; }

  void submit(Job job, std::function<void(JobDone)> then);
  std::size_t in_flight() const { return then_.size(); }  // without those that are away
  const std::vector<std::string>& away() const { return away_; }

 private:
  void take(JobDone done);
  void finish(JobDone done);

  EventQueue& events_;
  Judges* judges_ = nullptr;
  std::map<std::string, std::function<void(JobDone)>> then_;
  std::vector<JobDone> trip_;
  std::vector<std::string> away_;
};

}  // namespace hone::run
