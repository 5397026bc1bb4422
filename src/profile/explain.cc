#include "profile/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <sstream>

#include "base/error.h"
#include "core/source_lines.h"
#include "profile/classify.h"
#include "profile/launches.h"
#include "profile/limits.h"
#include "profile/recorded_call.h"
#include "profile/tags.h"
#include "task/plan_parser.h"

namespace hone::profile {
namespace {

core::Metric metric(std::string tag, const char* unit, double value) {
  return {std::move(tag), unit, value, "", "", {}, {}};
}

core::DeviceInfo device_in(const MetricTable& metrics, const core::Profile& profile,
                           core::Language language) {
  const auto number = [&](std::string_view tag) {
    return metrics.get(tag, std::nullopt).value_or(0);
  };
  core::DeviceInfo device;
  device.language = language;
  device.uuid = profile.key.device;
  device.driver = profile.key.driver;
  device.compiler = profile.key.compiler;
  device.is_cpu = number(tag::device_is_cpu) != 0;
  if (const double arch = number(tag::device_architecture); arch > 0)
    device.arch = fmt::format("sm_{:.0f}", arch);
  const auto read = [&](std::string_view tag, std::int64_t& to) {
    if (const auto value = metrics.get(tag, std::nullopt)) to = static_cast<std::int64_t>(*value);
  };
  read(tag::device_sms, device.sm_count);
  read(tag::device_warp, device.warp_size);
  read(tag::device_shared, device.shared_per_block);
  read(tag::device_l2, device.l2_bytes);
  read(tag::device_threads, device.max_threads);
  read(tag::device_memory, device.memory_bytes);
  device.pin_bandwidth = number(tag::device_pins);
  return device;
}

core::Ceilings ceilings_in(const MetricTable& metrics) {
  const auto number = [&](std::string_view tag) {
    return metrics.get(tag, std::nullopt).value_or(0);
  };
  return {number(tag::ceiling_read),   number(tag::ceiling_write),
          number(tag::ceiling_copy),   metrics.under(tag::ceiling_flops, std::nullopt),
          number(tag::ceiling_groups), number(tag::ceiling_calls)};
}

// Said once, however often a profile is explained.
void note_unknown_shares(const Facts& facts, core::Profile& profile) {
  const auto launches = launches_of(facts);
  const std::string note =
      "The time of every launch is not known, so each counts as an equal part of the call, and "
      "gains with it.";
  if (launches.size() > 1 && !launches.front().timed &&
      std::find(profile.notes.begin(), profile.notes.end(), note) == profile.notes.end())
    profile.notes.push_back(note);
}

}  // namespace

// Samples by line, as the collector had them; code from elsewhere is not kept.
std::vector<LineSamples> lines_in(const std::vector<core::Metric>& metrics,
                                  const std::string& source) {
  std::vector<std::string> texts;
  std::istringstream text(std::string(core::counted_text(source)));
  for (std::string line; std::getline(text, line);)
    texts.push_back(line.substr(std::min(line.find_first_not_of(" \t"), line.size())));
  std::map<std::pair<int, int>, LineSamples> found;
  for (const auto& one : metrics) {
    if (!one.line || !one.value) continue;
    auto& line = found[{one.launch.value_or(0), *one.line}];
    line.line = *one.line;
    line.launch = one.launch;
    if (*one.line > 0 && static_cast<std::size_t>(*one.line) <= texts.size())
      line.text = texts[static_cast<std::size_t>(*one.line) - 1];
    if (one.tag == tag::line_samples) line.samples = *one.value;
    if (one.tag == tag::line_code) line.code = *one.value;
    if (one.tag.starts_with(tag::line_stall))
      line.stalls[one.tag.substr(tag::line_stall.size())] = *one.value;
  }
  std::vector<LineSamples> lines;
  for (auto& [key, line] : found)
    if (line.samples > 0 || line.code > 0) lines.push_back(std::move(line));
  std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) {
    return a.samples != b.samples ? a.samples > b.samples : a.code > b.code;
  });
  return lines;
}

Collected collect_device(const core::DeviceInfo& device, const core::Ceilings& ceilings) {
  Collected collected;
  const auto add = [&](std::string_view tag, const char* unit, auto value) {
    if (value != 0)
      collected.metrics.push_back(metric(std::string(tag), unit, static_cast<double>(value)));
  };
  add(tag::device_is_cpu, "1", device.is_cpu ? 1 : 0);
  add(tag::device_architecture, "1", architecture(device));
  add(tag::device_sms, "1", device.sm_count);
  add(tag::device_warp, "1", device.warp_size);
  add(tag::device_shared, "B", device.shared_per_block);
  add(tag::device_l2, "B", device.l2_bytes);
  add(tag::device_threads, "1", device.max_threads);
  add(tag::device_memory, "B", device.memory_bytes);
  add(tag::device_pins, "B/s", device.pin_bandwidth);
  add(tag::ceiling_read, "B/s", ceilings.read);
  add(tag::ceiling_write, "B/s", ceilings.write);
  add(tag::ceiling_copy, "B/s", ceilings.copy);
  add(tag::ceiling_groups, "1/s", ceilings.groups);
  add(tag::ceiling_calls, "1/s", ceilings.calls);
  for (const auto& [kind, rate] : ceilings.flops)
    add(fmt::format("{}{}", tag::ceiling_flops, kind), "1/s", rate);
  return collected;
}

void explain(Facts& facts, const std::vector<std::string>& programs,
             const std::map<std::string, TrackRecord>& records, core::Profile& profile) {
  facts.roofline = core::roofline_of(*facts.task, *facts.which, facts.ceilings);
  facts.metrics = MetricTable(profile.metrics);
  facts.seconds = profile.seconds;
  facts.diagnosis = profile.diagnosis = classify(facts);
  note_unknown_shares(facts, profile);
  auto said = run_tools(facts, programs);
  order(said.advice, records);
  profile.advice = std::move(said.advice);
  profile.left_out = std::move(said.left_out);
}

core::Profile explain_again(core::Profile recorded, const core::Task& task,
                            const core::Candidate& candidate,
                            const std::vector<std::string>& programs,
                            const std::map<std::string, TrackRecord>& records) {
  Facts facts;
  facts.task = &task;
  facts.candidate = &candidate;
  for (const auto& which : task.cases)
    if (which.name == recorded.case_name) facts.which = &which;
  const MetricTable metrics(recorded.metrics);
  if (facts.which == nullptr || !metrics.get(tag::device_sms, std::nullopt))
    base::fail(base::ExitCode::bad_input,
               "the profile cannot be explained again: {}; profile the candidate anew",
               facts.which == nullptr
                   ? fmt::format("task {} has no case '{}'", task.name, recorded.case_name)
                   : "it was recorded without the facts of its device");
  facts.device = device_in(metrics, recorded, candidate.language);
  facts.ceilings = ceilings_in(metrics);
  core::Plan written = candidate.plan;
  const bool planless = candidate.language == core::Language::python;
  if (planless)  // any that Python runs on
    facts.device.language = facts.device.is_cpu ? core::Language::opencl : core::Language::cuda;
  else if (const auto problems = task::check_plan(written, task, candidate.name); !problems.empty())
    base::fail(base::ExitCode::bad_input, "{}", base::render(problems, candidate.source));
  auto plan = core::resolve(written, task, *facts.which, recorded.key.point,
                            core::device_symbols(facts.device));
  if (!plan)
    base::fail(base::ExitCode::bad_input, "the plan of {}: {}", candidate.name,
               base::render(plan.error(), candidate.source));
  facts.plan = *std::move(plan);
  if (planless) facts.plan.launches = launches_in(recorded.metrics);
  facts.lines = lines_in(recorded.metrics, candidate.source);
  const auto start = std::chrono::steady_clock::now();
  explain(facts, programs, records, recorded);
  recorded.parts = {
      {"tools", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()}};
  return recorded;
}

}  // namespace hone::profile
