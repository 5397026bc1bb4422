#pragma once
// What calls of a worker in Python cost beside what they do: measured with a worker that runs no
// candidate, on the same buffers, so that message, waking up and mapping are in its calls as in a
// candidate's. Owned by the judge.
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "core/plan.h"
#include "judge/buffers.h"
#include "runner/runner.h"

namespace hone::judge {

class Judge;

struct PythonCost {
  double request = 0;  // from the request to the answer, with next to nothing to do
  double copy = 0;     // of the results into the judge's memory, for each call
  double gap =
      0;  // what a call alone takes longer than one of many: the host's time that nothing hides
  double settle = 0;   // until the device works for the judge after a call, where work can go on
  double prepare = 0;  // of a call, before it begins: mapping its memory
  // What is taken off for the copy must not make a call shorter than this: the time in which the
  // memory moves the compulsory bytes. A candidate that writes its results into the judge's memory
  // itself saves the copy. 0: not known.
  double floor = 0;
};

class PythonCosts {
 public:
  // Measured now.
  PythonCost measure(Judge& judge, const core::Case& which, core::ResolvedPlan plan,
                     const BufferSet& working);
  // Measured once for a case; on a GPU before any candidate is loaded (learn_all), as far as there
  // was memory, because what a candidate has queued would make the cost look larger.
  const PythonCost& known(Judge& judge, const core::Case& which, const core::ResolvedPlan& plan,
                          const BufferSet& working);
  void learn_all(Judge& judge);
  // Why a worker that runs no candidate cannot record what the device does in a call; "": it can.
  // Asked once.
  const std::string& why_not_recorded(Judge& judge);

 private:
  runner::Runner& idle(Judge& judge);

  std::unique_ptr<runner::Runner> idle_;     // runs no candidate
  std::map<std::string, PythonCost> costs_;  // by case
  std::optional<std::string> not_recorded_;
};

}  // namespace hone::judge
