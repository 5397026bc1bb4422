#include "judge/python/cost.h"

#include <algorithm>

#include "base/error.h"
#include "core/roofline.h"
#include "core/stats.h"
#include "judge/judge.h"
#include "judge/lease.h"
#include "judge/load.h"
#include "judge/python/candidate.h"
#include "judge/python/record.h"
#include "judge/since.h"

namespace hone::judge {
namespace {

constexpr int idle_warm_up_calls = 2, idle_timed_calls = 9;
constexpr int idle_batch_calls = 8;  // issued in one request, to learn what a call alone costs more

// So many calls that do nothing.
std::string call_of(int calls) { return fmt::format(R"({{"calls":{}}})", calls); }

[[noreturn]] void fail_idle(const std::string& text) {
  base::fail(base::ExitCode::environment, "a worker in Python that does nothing failed: {}", text);
}

// What the memory takes for the bytes that a case must move, beyond what the cache may hold.
double compulsory_seconds(const Judge& judge, const core::Case& which) {
  const double bandwidth = core::memory_ceiling(judge.options().ceilings);
  const double bytes = core::roofline_of(judge.task(), which, judge.options().ceilings).bytes -
                       static_cast<double>(judge.info().l2_bytes);
  return bandwidth > 0 && bytes > 0 ? bytes / bandwidth : 0;
}

const auto& need(const auto& result) {
  if (!result) fail_idle(result.error().text);
  return *result;
}

// The idle worker on one set of buffers.
struct IdleCalls {
  Judge& judge;
  runner::Runner& runner;
  core::ResolvedPlan plan;
  const BufferSet& working;
  device::BindingSet bindings;
  PythonCost cost;  // copy and settle are learnt on the way

  struct Seconds {
    double fastest = 0, median = 0;
  };
  // Of a request that holds so many calls which do nothing.
  Seconds seconds_for(int calls) {
    const auto after = core::capabilities(judge.info()).queues_work
                           ? runner::AfterAnswer::is_stopping
                           : runner::AfterAnswer::stops;
    plan.call = call_of(calls);
    const int id = need(runner.plan(plan));
    std::vector<double> seconds, settled, prepared;
    for (int i = -idle_warm_up_calls; i < idle_timed_calls; ++i) {
      const auto start = Clock::now();
      need(runner.prepare({id, {bindings}}, judge.options().build_seconds));
      prepared.push_back(since(start));
      if (const auto fault = runner.freeze()) fail_idle(fault->text);
      const auto timed = need(runner.go(judge.options().call_seconds, after));
      if (after == runner::AfterAnswer::is_stopping) {
        judge.tensor_ops().begin_watch();
        settled.push_back(since(timed.answered));
        (void)judge.tensor_ops().end_watch();
        need(runner.finish_stopping());
      }
      if (i >= 0) seconds.push_back(timed.judge_seconds);
      cost.copy = timed.report.device_seconds;
    }
    if (!settled.empty()) cost.settle = core::median(settled);
    cost.prepare = core::median(prepared);
    return {*std::min_element(seconds.begin(), seconds.end()), core::median(seconds)};
  }
};

}  // namespace

runner::Runner& PythonCosts::idle(Judge& judge) {
  if (!idle_) {
    idle_ = judge.runners().start_idle_python();
    need(idle_->load("{}", {}, judge.options().build_seconds));
  }
  return *idle_;
}

const std::string& PythonCosts::why_not_recorded(Judge& judge) {
  if (not_recorded_) return *not_recorded_;
  core::ResolvedPlan plan;
  plan.call = call_of(1);
  runner::PrepareRequest request;
  request.plan = need(idle(judge).plan(plan));
  request.sets = {{}};
  request.record = true;
  need(idle_->prepare(request, judge.options().build_seconds));
  need(idle_->go(judge.options().build_seconds));
  const auto activities = idle_->activities();
  const bool works = activities && between_controls(*activities);
  not_recorded_ = works ? ""
                  : !activities
                      ? activities.error().text
                      : "a call that does nothing but that left no record of two control kernels";
  return *not_recorded_;
}

PythonCost PythonCosts::measure(Judge& judge, const core::Case& which, core::ResolvedPlan plan,
                                const BufferSet& working) {
  need(idle(judge).drop());
  IdleCalls calls{
      judge, *idle_, std::move(plan), working, need(share(*idle_, judge.tensor_ops(), working)),
      {}};
  const auto none = calls.seconds_for(0);
  PythonCost cost = calls.cost;  // what is learnt on the way
  const auto one = calls.seconds_for(1), many = calls.seconds_for(idle_batch_calls);
  need(idle_->drop());
  // Taken off a time: the fastest, because what else goes on meanwhile (a candidate may be loading)
  // makes requests longer, and less taken off hides nothing.
  cost.request = none.fastest;
  // What is allowed, with a ceiling, is what usually happens.
  cost.gap =
      std::max(0.0, one.median - none.median - (many.median - none.median) / idle_batch_calls);
  if (hands_over_outputs(judge.task())) cost.copy = 0;
  cost.floor = compulsory_seconds(judge, which);
  return cost;
}

void PythonCosts::learn_all(Judge& judge) {
  // Where the host's clock counts, calls take milliseconds, and what they cost by themselves stays
  // in.
  if (!core::capabilities(judge.info()).device_clock ||
      !judge.options().guards.on(Guard::judge_clock))
    return;
  for (const core::Case& which : judge.task().cases) {
    if (!which.timed || costs_.contains(which.name)) continue;
    const auto shapes = task_shapes(judge.task(), which);
    core::ResolvedPlan plan;
    plan.buffers = shapes.inputs;
    plan.buffers.insert(plan.buffers.end(), shapes.outputs.begin(), shapes.outputs.end());
    if (BufferSet::footprint(plan.buffers) > judge.tensor_ops().free_bytes()) continue;
    const Lease lease(judge.info(), judge.options().progress);
    const BufferSet working(judge.tensor_ops(), plan.buffers);
    costs_[which.name] = measure(judge, which, plan, working);
  }
}

const PythonCost& PythonCosts::known(Judge& judge, const core::Case& which,
                                     const core::ResolvedPlan& plan, const BufferSet& working) {
  const auto found = costs_.find(which.name);
  if (found != costs_.end()) return found->second;
  return costs_[which.name] = measure(judge, which, plan, working);
}

}  // namespace hone::judge
