#include "profile/call_times.h"

#include <chrono>

#include "core/stats.h"

namespace hone::profile {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int fewest_calls = 3, most_calls = 20;
constexpr double budget_seconds = 1;  // after it no further call begins

}  // namespace

base::Result<CallTimes> call_times(judge::Judge& judge, judge::Ready& ready,
                                   const core::Case& which, const core::ResolvedPlan& plan) {
  judge.make_room(which);
  judge::BufferSet working(judge.tensor_ops(), plan.buffers);
  judge::Caller caller(judge.task(), which, judge.tensor_ops(), working, judge.secrets(),
                       judge.options().guards, judge.info());
  const judge::Entry& entry = *judge.inputs().pool(which).plain(1).front();
  const auto bound = judge::bind(judge, ready, plan, working);
  if (!bound) return base::Failure{bound.error().text};
  judge::CallOptions options;
  options.seconds = judge.options().call_seconds;
  std::vector<double> seconds, wall;
  const auto start = Clock::now();
  for (int call = -1; call < most_calls; ++call) {  // the first one compiles, and is not counted
    if (call >= fewest_calls &&
        std::chrono::duration<double>(Clock::now() - start).count() > budget_seconds)
      break;
    const auto called = caller.call(*bound, entry, options);
    if (!called) return base::Failure{called.error().text};
    if (call < 0) continue;
    const auto& timed = called->timed;
    seconds.push_back(core::capabilities(judge.info()).device_clock ? timed.report.device_seconds
                                                                    : timed.judge_seconds);
    wall.push_back(timed.judge_seconds);
  }
  caller.forget(entry);
  if (const double median = core::median(seconds); median > 0)
    return CallTimes{median, core::median(wall), static_cast<int>(seconds.size())};
  return base::Failure{std::string("the device's clock did not move")};
}

}  // namespace hone::profile
