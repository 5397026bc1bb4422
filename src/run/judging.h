#pragma once
// The nodes of a run as jobs for judges: verdicts, explanations and last certificates, recorded as they come back.
#include <optional>

#include "run/workplace.h"

namespace hone::run {

class Judging {
 public:
  explicit Judging(Workplace& workplace) : work_(workplace) {}

  void judge(core::NodeId number);  // a written node
  void explain(const core::Deed& deed);
  // In a process that has seen nothing yet, beside the seed. `then` is called once it is recorded, or is not to be had.
  void certify(core::NodeId number, core::NodeId seed, std::function<void()> then);

 private:
  Job job_for(const core::Node& node) const;
  bool take_known_verdict(const core::Node& node);
  void judged(core::NodeId number, const Job& job, const JobDone& done);
  void record(core::NodeId number, const JobResult& result);
  void explained(core::ActionId number, const JobDone& done);
  void certified(core::NodeId number, core::NodeId seed, const Job& job, const JobDone& done,
                 const std::function<void()>& then);
  void tell(core::NodeId number) const;

  Workplace& work_;
};

}  // namespace hone::run
