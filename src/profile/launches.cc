#include "profile/launches.h"

#include <algorithm>

#include "profile/tags.h"

namespace hone::profile {
namespace {

// Seconds of all repetitions by the best of the collectors; nothing where none knows it.
std::optional<double> seconds_in(const Facts& facts, const LaunchShare& launch) {
  if (const auto all = facts.metrics.get(tag::system_launch_seconds, launch.index)) return all;
  for (const auto name : {tag::kernel_seconds, tag::cpu_launch_seconds})
    if (const auto one = facts.metrics.get(name, launch.index)) return *one * launch.repeats;
  return std::nullopt;
}

}  // namespace

std::vector<LaunchShare> launches_of(const Facts& facts) {
  std::vector<LaunchShare> launches;
  for (const auto& launch : facts.plan.launches) {
    const auto same = [&](const LaunchShare& one) { return one.index == launch.plan_index; };
    if (const auto found = std::find_if(launches.begin(), launches.end(), same);
        found != launches.end())
      ++found->repeats;
    else
      launches.push_back({launch.plan_index, launch.kernel});
  }
  double total = 0;
  bool timed = true;
  for (const auto& launch : launches) {
    const auto seconds = seconds_in(facts, launch);
    timed = timed && seconds;
    total += seconds.value_or(0);
  }
  timed = timed && total > 0;
  for (auto& launch : launches) {
    launch.timed = timed;
    launch.share = timed ? *seconds_in(facts, launch) / total
                         : launch.repeats / static_cast<double>(facts.plan.launches.size());
  }
  return launches;
}

Facts seen_from(const Facts& facts, const LaunchShare& launch) {
  Facts view = facts;
  view.launch = launch.index;
  view.kernel = launch.kernel;
  view.share = launch.share;
  view.share_timed = launch.timed;
  return view;
}

}  // namespace hone::profile
