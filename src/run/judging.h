#pragma once
// The nodes of a run as jobs for judges: verdicts, explanations and last certificates, recorded as
// they come back.
#include <map>
#include <optional>
#include <vector>

#include "run/run_parts.h"

namespace hone::run {

class Judging {
 public:
  explicit Judging(RunParts& parts) : work_(parts) {}

  void judge(core::NodeId number);  // a written node
  void explain(const core::DecidedAction& act);
  // In a process that has seen nothing yet, beside the seed. `then` is called once it is recorded,
  // or is not to be had.
  void certify(core::NodeId number, core::NodeId seed, std::function<void()> then);

 private:
  Job job_for(const core::Node& node) const;
  bool take_known_verdict(const core::Node& node);
  void judged(core::NodeId number, const Job& job, const JobDone& done);
  void record(core::NodeId number, const Job& job, const JobResult& result);
  void judge_those_that_waited(const std::string& candidate);
  void explained(core::ActionId number, const JobDone& done);
  void certified(core::NodeId number, core::NodeId seed, const Job& job, const JobDone& done,
                 const std::function<void()>& then);
  void tell(core::NodeId number) const;

  RunParts& work_;
  std::map<std::string, std::vector<core::NodeId>>
      in_flight_;  // by candidate: the other nodes that have the same
};

}  // namespace hone::run
