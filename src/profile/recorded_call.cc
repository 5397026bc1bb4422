#include "profile/recorded_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "judge/python/record.h"
#include "profile/launches.h"
#include "profile/profiling_setup.h"
#include "profile/tags.h"
#include "profile/timeline.h"
#include "profile/words.h"

namespace hone::profile {
namespace {

using device::Activity;

constexpr std::size_t longest_kernel_name = 120;
constexpr std::size_t most_kernels = 48;  // of different names; the rest counts together
constexpr std::size_t most_told = 12;     // in a sentence
constexpr int most_repeats = 4096;        // a candidate could record anything
constexpr const char* other_kernels = "other kernels";
constexpr int warm_ups = 2;  // the first call compiles, and the first recorded one opens CUPTI

bool moves_only(std::string_view name) {
  return name.starts_with("Memcpy") || name.starts_with("Memset");
}

// Names come from the candidate's process: in one line, and no longer than is of use.
std::string name_in_line(std::string name) {
  for (char& c : name)
    if (static_cast<unsigned char>(c) < ' ' || c == '`' || c == 127) c = '?';
  if (name.size() > longest_kernel_name) {
    std::size_t end = longest_kernel_name;
    while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xc0) == 0x80)
      --end;  // no half characters
    name.resize(end);
  }
  return name.empty() ? "?" : name;
}

core::Metric metric(std::string tag, const char* unit, double value,
                    std::optional<int> launch = {}) {
  return {std::move(tag), unit, value, "", "", launch, {}};
}

// "`a` 12 µs, 3 µs later `b` 4 µs": one after the other, neighbours of one name together.
std::string order_text(const std::vector<Activity>& sorted, const std::vector<std::string>& names) {
  std::string text;
  std::size_t told = 0;
  for (std::size_t i = 0; i < sorted.size();) {
    std::size_t next = i;
    double seconds = 0;
    while (next < sorted.size() && sorted[next].launch == sorted[i].launch) {
      seconds += sorted[next].end - sorted[next].start;
      ++next;
    }
    if (++told > most_told) return text + fmt::format(", and {} more", sorted.size() - i);
    const double gap = i == 0 ? 0 : sorted[i].start - sorted[i - 1].end;
    text += fmt::format(
        "{}{}`{}`{} {}", i == 0 ? "" : ", ", gap > 0 ? seconds_text(gap) + " later " : "",
        names[static_cast<std::size_t>(sorted[i].launch)],
        next - i > 1 ? fmt::format(" ({} times)", next - i) : "", seconds_text(seconds));
    i = next;
  }
  return text;
}

}  // namespace

bool only_recorded(const core::Candidate& candidate) {
  return candidate.language == core::Language::python || core::has_operations(candidate.plan);
}

bool only_recorded(const Facts& facts) {
  return facts.candidate != nullptr && only_recorded(*facts.candidate);
}

bool only_passes(std::string_view name) {
  constexpr std::string_view known[] = {
      "elementwise", "reduce_kernel", "Memcpy",     "Memset", "CatArray",    "softmax",
      "Softmax",     "batch_norm",    "layer_norm", "index",  "triton_poi_", "triton_per_",
      "triton_red_", "copy",          "fill",       "pool",   "nchwTo",      "nhwcTo"};
  return judge::is_library_kernel(name) &&
         std::any_of(std::begin(known), std::end(known), [&](std::string_view word) {
           return name.find(word) != std::string_view::npos;
         });
}

Collected recorded_call(std::vector<Activity> activities, double wall) {
  std::erase_if(activities, [](const Activity& one) { return !(one.end >= one.start); });
  std::stable_sort(activities.begin(), activities.end(),
                   [](const Activity& a, const Activity& b) { return a.start < b.start; });
  std::vector<std::string> names;
  std::map<int, double> seconds;
  std::map<int, int> repeats;
  double copies = 0;
  for (auto& one : activities) {
    std::string name = name_in_line(one.name);
    auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end() && names.size() >= most_kernels) {
      if (names.size() == most_kernels) names.emplace_back(other_kernels);
      found = names.end() - 1;
    } else if (found == names.end()) {
      found = names.insert(names.end(), std::move(name));
    }
    one.kind = Activity::Kind::kernel;
    one.launch = static_cast<int>(found - names.begin());
    seconds[one.launch] += one.end - one.start;
    ++repeats[one.launch];
    if (moves_only(one.name)) copies += one.end - one.start;
  }
  Collected collected;
  collected.metrics.push_back(
      metric(std::string(tag::system_copies), "s", copies));  // the first that knows it stands
  for (auto& one : timeline_metrics(activities, wall))
    if (one.tag != tag::system_copies || activities.empty())
      collected.metrics.push_back(std::move(one));
  if (activities.empty()) collected.metrics.erase(collected.metrics.begin());
  for (const auto& [launch, sum] : seconds) {
    const auto& name = names[static_cast<std::size_t>(launch)];
    collected.metrics.push_back(metric(std::string(tag::call_kernel) + name, "s", sum, launch));
    collected.metrics.push_back(metric(std::string(tag::call_library), "1",
                                       judge::is_library_kernel(name) ? 1 : 0, launch));
    collected.metrics.push_back(metric(std::string(tag::repeats), "1", repeats[launch], launch));
  }
  if (!activities.empty())
    collected.notes.push_back(fmt::format("What the device did in a recorded call, in order: {}.",
                                          order_text(activities, names)));
  return collected;
}

Collected recorded_plan(const std::vector<Activity>& activities, const core::ResolvedPlan& plan,
                        double wall) {
  Collected collected{timeline_metrics(activities, wall), {}};
  std::map<int, double> seconds;
  std::map<int, const core::ResolvedLaunch*> launches;
  std::map<int, int> repeats;
  for (const auto& launch : plan.launches) {
    launches.try_emplace(launch.plan_index, &launch);
    ++repeats[launch.plan_index];
  }
  for (const auto& one : activities) seconds[one.launch] += std::max(0.0, one.end - one.start);
  for (const auto& [index, launch] : launches) {
    collected.metrics.push_back(metric(std::string(tag::call_kernel) + name_in_line(launch->kernel),
                                       "s", seconds[index], index));
    collected.metrics.push_back(
        metric(std::string(tag::call_library), "1", launch->is_operation ? 1 : 0, index));
    collected.metrics.push_back(metric(std::string(tag::repeats), "1", repeats[index], index));
  }
  return collected;
}

Collected collect_recorded(judge::Judge& judge, judge::Ready& ready, const core::Case& which,
                           const core::ResolvedPlan& plan) {
  const auto without = [](const std::string& why) {
    return Collected{no_timeline(why),
                     {"What the device did in a call is not known: " + why + "."}};
  };
  const bool python = ready.candidate.language == core::Language::python;
  if (python && !core::capabilities(judge.info()).records_kernels)
    return without("a CPU keeps no records of kernels; the call is timed as a whole");
  judge.make_room(which);
  judge::BufferSet working(judge.tensor_ops(), plan.buffers);
  judge::Caller caller(judge.task(), which, judge.tensor_ops(), working, judge.secrets(),
                       judge.options().guards, judge.info());
  const judge::Entry& entry = *judge.inputs().pool(which).plain(1).front();
  const auto bound = judge::bind(judge, ready, plan, working);
  if (!bound) return without(bound.error().text);
  judge::CallOptions call;
  call.verify = false;
  call.seconds = std::max(judge.options().call_seconds, judge.options().build_seconds);
  double wall = 0;
  for (int i = 0; i <= warm_ups; ++i) {
    call.record = i > 0;
    const auto called = caller.call(*bound, entry, call);
    if (!called) return without(called.error().text);
    wall = called->timed.report.runner_seconds;
  }
  const auto activities = ready.runner->activities();
  caller.forget(entry);
  if (!activities) return without(activities.error().text);
  return python ? recorded_call(*activities, wall) : recorded_plan(*activities, plan, wall);
}

Collected from_evaluation(const core::Evaluation& evaluation, const std::string& case_name) {
  Collected collected;
  const auto is_of = [&](const core::Metric& one) {
    return one.case_name.empty() || one.case_name == case_name;
  };
  for (const auto& one : evaluation.metrics)
    for (const std::string_view wanted : {"clock.", "share.", "class.", "precision."})
      if (one.tag.starts_with(wanted) && is_of(one)) collected.metrics.push_back(one);
  for (const auto& result : evaluation.cases) {
    if (result.name != case_name) continue;
    const auto add = [&](std::string_view tag, const char* unit, double value) {
      if (value > 0) collected.metrics.push_back(metric(std::string(tag), unit, value));
    };
    add(tag::time_first_call, "s", result.first_call);
    add(tag::error_max, "1", result.error_max);
    add(tag::error_rms, "1", result.error_rms);
    add(tag::error_honest, "1", result.honest_rms);
    add(tag::time_of_ceiling, "1", result.ceiling_fraction.value_or(0));
  }
  return collected;
}

std::vector<core::ResolvedLaunch> launches_in(const std::vector<core::Metric>& metrics) {
  std::map<int, std::string> names;
  for (const auto& one : metrics)
    if (one.launch && one.value && one.tag.starts_with(tag::call_kernel))
      names.try_emplace(*one.launch, one.tag.substr(tag::call_kernel.size()));
  std::map<int, int> repeats;
  for (const auto& one : metrics)
    if (one.launch && one.value && one.tag == tag::repeats)
      repeats[*one.launch] = static_cast<int>(std::clamp<double>(*one.value, 1, most_repeats));
  std::vector<core::ResolvedLaunch> launches;
  for (const auto& [index, name] : names)
    for (int i = 0; i < std::max(1, repeats[index]); ++i) {
      core::ResolvedLaunch launch;
      launch.kernel = name;
      launch.plan_index = index;
      launches.push_back(std::move(launch));
    }
  return launches;
}

std::string kernels_text(const Facts& facts) {
  auto launches = launches_of(facts);
  if (launches.empty()) return "";
  std::stable_sort(launches.begin(), launches.end(),
                   [](const auto& a, const auto& b) { return a.share > b.share; });
  std::string text;
  double library = 0, rest = 0;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const auto& launch = launches[i];
    const bool foreign = facts.metrics.get(tag::call_library, launch.index).value_or(0) > 0;
    library += foreign ? launch.share : 0;
    if (i >= most_told) {
      rest += launch.share;
      continue;
    }
    text += fmt::format("{}`{}`{}{} {}", text.empty() ? "" : ", ", launch.kernel,
                        launch.repeats > 1 ? fmt::format(" ({:.0f} times)", launch.repeats) : "",
                        foreign ? " (library)" : "", percent(launch.share));
  }
  if (rest > 0) text += fmt::format(", others {}", percent(rest));
  return fmt::format("Of the time in kernels: {}; {} of it in kernels of libraries. ", text,
                     percent(library));
}

}  // namespace hone::profile
