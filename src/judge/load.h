#pragma once
// From a candidate to a runner that has it loaded, with its plan for a case and its buffers: what
// every procedure of the judge begins with. What the candidate does wrong on the way is a Finding.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "judge/call.h"
#include "judge/judge.h"

namespace hone::judge {

// A candidate that was built, loaded and found to fit, in a runner of its own.
struct Ready {
  core::Candidate candidate;
  core::Point point;
  std::unique_ptr<runner::Runner> runner;
  std::vector<device::KernelInfo> kernels;
  std::string image;                     // what was built
  std::vector<std::string> traits = {};  // of its code: device/ptx_traits.h
};

using RunnerSource = std::function<std::unique_ptr<runner::Runner>()>;

// Sets the evaluation's key and adds what building showed (log, seconds, registers) to it.
base::Result<Ready, Finding> load(Judge& judge, const core::Candidate& candidate,
                                  const EvaluateOptions& options, core::Evaluation& evaluation);
// The same in a runner of another make (under a checker, say).
base::Result<Ready, Finding> load_with(Judge& judge, const core::Candidate& candidate,
                                       const EvaluateOptions& options, core::Evaluation& evaluation,
                                       const RunnerSource& source);

// The plan's numbers for the case, its arguments compared with the kernels' parameters; or what is
// wrong, in words.
base::Result<core::ResolvedPlan> fitted_plan(const Judge& judge, const Ready& ready,
                                             const core::Case& which);

// Tells the runner of the plan and of these buffers. `drop_others`: it forgets the buffers of
// earlier cases.
base::Result<BoundCandidate, Finding> bind(Judge& judge, Ready& ready,
                                           const core::ResolvedPlan& plan, const BufferSet& working,
                                           bool drop_others = true);
// The same in any runner that the candidate can be loaded in.
base::Result<BoundCandidate, Finding> bind_in(Judge& judge, runner::Runner& runner,
                                              const core::ResolvedPlan& plan,
                                              const BufferSet& working);
// Tells the runner of a set of buffers: all of them, or those that the plan has, in its order.
base::Result<device::BindingSet, runner::Fault> share(runner::Runner& runner,
                                                      device::TensorOps& ops, const BufferSet& set);
base::Result<device::BindingSet, runner::Fault> share_for(const core::ResolvedPlan& plan,
                                                          runner::Runner& runner,
                                                          device::TensorOps& ops,
                                                          const BufferSet& set);

}  // namespace hone::judge
