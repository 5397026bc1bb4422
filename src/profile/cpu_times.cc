#include "profile/cpu_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace hone::profile {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t most_parts = 32;  // each is called as often as the whole
constexpr int most_rounds = 7, fewest_rounds = 1;
constexpr double budget_seconds = 2;  // after it no further round begins

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

}  // namespace

std::vector<std::size_t> launch_parts(const core::ResolvedPlan& plan) {
  std::vector<std::size_t> ends;
  for (std::size_t i = 0; i < plan.launches.size(); ++i)
    if (i + 1 == plan.launches.size() ||
        plan.launches[i + 1].plan_index != plan.launches[i].plan_index)
      ends.push_back(i + 1);
  return ends;
}

base::Result<std::map<int, double>> launch_seconds(judge::Judge& judge, judge::Ready& ready,
                                                   const core::Case& which,
                                                   const core::ResolvedPlan& plan) {
  const auto ends = launch_parts(plan);
  if (ends.empty() || ends.size() > most_parts)
    return base::Failure{
        fmt::format("the call has {} launches in turn; up to {} are timed one by one", ends.size(),
                    most_parts)};
  judge.make_room(which);
  judge::BufferSet working(judge.tensor_ops(), plan.buffers);
  judge::Caller caller(judge.task(), which, judge.tensor_ops(), working, judge.secrets(),
                       judge.options().guards, judge.info());
  const judge::Entry& entry = *judge.inputs().pool(which).plain(1).front();
  std::vector<judge::BoundCandidate> parts;
  for (const std::size_t end : ends) {
    core::ResolvedPlan part = plan;
    part.launches.resize(end);
    const auto bound = judge::bind(judge, ready, part, working, parts.empty());
    if (!bound) return base::Failure{bound.error().text};
    parts.push_back(*bound);
  }
  judge::CallOptions options;
  options.seconds = judge.options().call_seconds;
  options.verify = false;  // a part of a plan computes no output
  std::vector<std::vector<double>> samples(parts.size());
  const auto start = Clock::now();
  for (int round = -1; round < most_rounds;
       ++round) {  // the first one compiles, and is not counted
    if (round >= fewest_rounds &&
        std::chrono::duration<double>(Clock::now() - start).count() > budget_seconds)
      break;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const auto called = caller.call(parts[i], entry, options);
      if (!called) return base::Failure{called.error().text};
      if (round >= 0) samples[i].push_back(called->timed.report.device_seconds);
    }
  }
  caller.forget(entry);
  std::map<int, double> seconds;
  double before = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const double until = median(samples[i]);
    seconds[plan.launches[ends[i] - 1].plan_index] += std::max(0.0, until - before);
    before = until;
  }
  return seconds;
}

}  // namespace hone::profile
