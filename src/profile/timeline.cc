#include "profile/timeline.h"

#include <algorithm>
#include <map>

#include "core/stats.h"
#include "profile/tags.h"

namespace hone::profile {
namespace {

using device::Activity;
using Kind = Activity::Kind;

struct Cover {
  double once = 0, twice = 0;  // time in which at least one, at least two are at work
  double first = 0, last = 0;
};

Cover cover_of(const std::vector<const Activity*>& activities) {
  std::vector<std::pair<double, int>> steps;
  for (const auto* one : activities) {
    steps.emplace_back(one->start, 1);
    steps.emplace_back(one->end, -1);
  }
  // An end before a start at the same instant: they do not overlap.
  std::sort(steps.begin(), steps.end());
  Cover cover;
  if (steps.empty()) return cover;
  cover.first = steps.front().first;
  cover.last = steps.back().first;
  int open = 0;
  double since = cover.first;
  for (const auto& [time, step] : steps) {
    if (open >= 1) cover.once += time - since;
    if (open >= 2) cover.twice += time - since;
    open += step;
    since = time;
  }
  return cover;
}

constexpr std::string_view whole_call[] = {
    tag::system_launches, tag::system_span,        tag::system_kernels,
    tag::system_gaps,     tag::system_launch_cost, tag::system_wall,
    tag::system_overlap,  tag::system_copies,      tag::system_syncs};

}  // namespace

std::vector<core::Metric> timeline_metrics(const std::vector<Activity>& activities, double wall) {
  std::vector<const Activity*> kernels, copies;
  std::vector<double> calls;
  std::map<int, double> seconds_of;
  double syncs = 0;
  for (const auto& one : activities) {
    if (!(one.end >= one.start)) continue;
    if (one.kind == Kind::kernel) {
      kernels.push_back(&one);
      seconds_of[one.launch] += one.end - one.start;
    }
    if (one.kind == Kind::copy || one.kind == Kind::fill) copies.push_back(&one);
    if (one.kind == Kind::launch_call) calls.push_back(one.end - one.start);
    if (one.kind == Kind::sync) ++syncs;
  }
  if (kernels.empty()) return no_timeline("no kernel was recorded");
  const Cover in_kernels = cover_of(kernels);
  std::vector<core::Metric> metrics;
  const auto add = [&](std::string_view tag, const char* hint, std::optional<double> value,
                       const char* missing = "") {
    metrics.push_back({std::string(tag), hint, value, missing, "", {}, {}});
  };
  const double span = in_kernels.last - in_kernels.first;
  add(tag::system_launches, "1", static_cast<double>(kernels.size()));
  add(tag::system_span, "s", span);
  add(tag::system_kernels, "s", in_kernels.once);
  add(tag::system_gaps, "s", span - in_kernels.once);
  if (calls.empty())
    add(tag::system_launch_cost, "s", std::nullopt, "no launch call was recorded");
  else
    add(tag::system_launch_cost, "s", core::median(calls));
  add(tag::system_wall, "s", wall);
  add(tag::system_overlap, "1", in_kernels.once > 0 ? in_kernels.twice / in_kernels.once : 0);
  add(tag::system_copies, "s", cover_of(copies).once);
  add(tag::system_syncs, "1", syncs);
  for (const auto& [launch, seconds] : seconds_of)
    metrics.push_back({std::string(tag::system_launch_seconds), "s", seconds, "", "", launch, {}});
  return metrics;
}

std::vector<core::Metric> no_timeline(const std::string& why) {
  std::vector<core::Metric> metrics;
  for (const auto tag : whole_call)
    metrics.push_back({std::string(tag), "1", std::nullopt, why, "", {}, {}});
  return metrics;
}

}  // namespace hone::profile
