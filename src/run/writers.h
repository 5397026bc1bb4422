#pragma once
// Writers: a decided node becomes a question, its answer a candidate, and the candidate a job for
// the judge; a probe becomes a program that measures the device.
#include <map>

#include "run/judging.h"
#include "run/run_parts.h"

namespace hone::run {

class Writers {
 public:
  Writers(RunParts& parts, Judging& judging) : work_(parts), judging_(judging) {}

  void write(core::NodeId number);  // asks for the node
  void probe(const core::DecidedAction&
                 act);  // asks for a program, runs it, and asks again where it comes to no numbers

 private:
  void written(core::NodeId number, const Answer& answer);
  void ask_for_probe(core::ActionId number, int turn, llm::Request request);
  void probe_written(core::ActionId number, int turn, const llm::Request& asked,
                     const Answer& answer);
  void probe_run(core::ActionId number, int turn, const llm::Request& asked,
                 const llm::Reply& reply, const JobDone& done);
  void probe_again(core::ActionId number, int turn, const llm::Request& asked,
                   const llm::Reply& reply, const std::string& complaint);
  void keep_probe(core::ActionId number, const core::ProbeNumbers& probed);
  const core::DecidedAction& act(core::ActionId number) const;

  RunParts& work_;
  Judging& judging_;
  std::map<core::ActionId, core::ProbeNumbers>
      failed_probes_;  // what the last program of each came to
};

}  // namespace hone::run
