#include "profile/system.h"

#include "profile/timeline.h"

namespace hone::profile {
namespace {

constexpr int warm_ups = 2;  // the first recorded call also opens CUPTI and loads the kernels

Collected without(const std::string& why) {
  return {no_timeline(why), {"The timeline is not known: " + why + "."}};
}

}  // namespace

Collected collect_system(ProfilingSetup& setup, judge::Ready& ready) {
  auto& judge = setup.judge;
  const auto bound = judge::bind(judge, ready, setup.plan, setup.working);
  if (!bound) return without(bound.error().text);
  judge::CallOptions call;
  call.seconds = judge.options().call_seconds;
  call.record = true;
  call.verify = false;  // nothing here is a verdict
  double wall = 0;
  for (int i = 0; i <= warm_ups; ++i) {
    const auto called = setup.caller.call(*bound, setup.inputs, call);
    if (!called) return without(called.error().text);
    wall = called->timed.report.runner_seconds;
  }
  const auto activities = ready.runner->activities();
  if (!activities) return without(activities.error().text);
  return {timeline_metrics(*activities, wall), {}};
}

}  // namespace hone::profile
