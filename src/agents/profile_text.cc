#include "agents/profile_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "agents/task_text.h"
#include "agents/text.h"

namespace hone::agents {
namespace {

constexpr std::size_t most_stalls = 3;     // of a hot line: the rest is small
constexpr std::size_t longest_line = 160;  // of the source
// Programs of users are tools too, and may talk without end.
constexpr std::size_t longest_said = 1500;

// The hottest come first; what programs of other versions named without end is cut.
constexpr std::size_t most_lines = 16;

std::string lines_text(const std::vector<int>& lines) {
  const auto shown = std::min(lines.size(), most_lines);
  const std::vector<int> first(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(shown));
  return fmt::format(", line{} {}{}", lines.size() > 1 ? "s" : "", fmt::join(first, ", "),
                     lines.size() > shown ? fmt::format(" and {} more", lines.size() - shown) : "");
}

std::string one_advice(const core::Advice& a) {
  std::string where = a.launch ? fmt::format("launch {} of the plan", *a.launch) : "the whole call";
  if (!a.lines.empty()) where += lines_text(a.lines);
  std::string text =
      fmt::format("**{} ({}): {}** Predicted to save {:.3g} to {:.3g} %. Where: {}.\n", a.id,
                  core::name_of(a.severity), in_one_line(a.title, longest_line), a.gain.low,
                  a.gain.high, where);
  const auto add = [&](const char* name, const std::string& said) {
    if (!said.empty()) text += fmt::format("{}: {}\n", name, in_one_line(said, longest_said));
  };
  add("Evidence", a.evidence);
  add("Cause", a.cause);
  add("Recommendation", a.recommendation);
  add("How the gain follows", a.model);
  return text;
}

}  // namespace

std::string diagnosis_text(const core::Profile& profile) {
  const core::Diagnosis& d = profile.diagnosis;
  const std::string name(core::name_of(d.bound));
  std::string text =
      fmt::format("Case `{}`, {} a call: **{}**.", profile.case_name, seconds_text(profile.seconds),
                  d.bound == core::Bound::mixed ? "mixed limits" : name + "-bound");
  if (!d.reason.empty()) text += " " + in_one_line(d.reason, longest_said);
  if (!d.disagreement.empty()) text += " " + in_one_line(d.disagreement, longest_said);
  return text + "\n";
}

namespace {

// Of one launch; nothing: it was not measured.
std::optional<double> counter(const core::Profile& profile, std::string_view tag, int launch) {
  for (const core::Metric& metric : profile.metrics)
    if (metric.tag == tag && metric.launch == launch && !metric.line) return metric.value;
  return std::nullopt;
}

std::string busiest_pipe(const core::Profile& profile, int launch) {
  constexpr std::string_view prefix = "kernel.pipe.";
  const core::Metric* busiest = nullptr;
  for (const core::Metric& metric : profile.metrics)
    if (metric.tag.starts_with(prefix) && metric.launch == launch && metric.value &&
        (busiest == nullptr || *metric.value > *busiest->value))
      busiest = &metric;
  return busiest == nullptr
             ? ""
             : fmt::format(", busiest pipe {} at {:.0f} % of its peak",
                           busiest->tag.substr(prefix.size()), 100 * *busiest->value);
}

std::string launch_text(const core::Profile& profile, int launch) {
  std::string text;
  if (const auto seconds = counter(profile, "kernel.seconds", launch))
    text += ", " + seconds_text(*seconds) + " under the profiler's clocks";
  if (const auto clock = counter(profile, "kernel.sm_clock", launch))
    text += fmt::format(", at {:.0f} MHz", *clock / 1e6);
  text += busiest_pipe(profile, launch);
  const auto read = counter(profile, "kernel.dram.read", launch);
  const auto written = counter(profile, "kernel.dram.written", launch);
  if (read && written)
    text += fmt::format(", DRAM {:.3g} MB read and {:.3g} MB written", *read / 1e6, *written / 1e6);
  if (const auto hit = counter(profile, "kernel.l2.hit", launch))
    text += fmt::format(", {:.0f} % of what L2 was asked for was there", 100 * *hit);
  return text.empty() ? "" : fmt::format("- launch {}: {}\n", launch, text.substr(2));
}

}  // namespace

std::string measured_text(const core::Profile& profile, double compulsory_bytes) {
  int launches = 0;
  double moved = 0;
  std::string text;
  for (const core::Metric& metric : profile.metrics) {
    if (metric.launch) launches = std::max(launches, *metric.launch + 1);
    if ((metric.tag == "kernel.dram.read" || metric.tag == "kernel.dram.written") && !metric.line)
      moved += metric.value.value_or(0);
    if (metric.tag.starts_with("power.") || metric.tag.starts_with("clock."))
      if (metric.value && !metric.launch)
        text += fmt::format("- {}: {:.4g} {}\n", metric.tag, *metric.value, metric.hint);
  }
  for (int launch = 0; launch < launches; ++launch) text += launch_text(profile, launch);
  if (moved > 0 && compulsory_bytes > 0)
    text += fmt::format(
        "- in all {:.3g} MB of DRAM traffic; the task's inputs and outputs are {:.3g} MB: {:.2f} "
        "times the compulsory bytes\n",
        moved / 1e6, compulsory_bytes / 1e6, moved / compulsory_bytes);
  return text;
}

std::string advice_text(const core::Profile& profile) {
  std::string text;
  for (const auto& advice : profile.advice) text += one_advice(advice) + "\n";
  return text;
}

std::string cited_text(const core::Profile& profile, const std::vector<std::string>& ids) {
  std::string text;
  for (const auto& advice : profile.advice)
    if (std::find(ids.begin(), ids.end(), advice.id) != ids.end())
      text += one_advice(advice) + "\n";
  return text;
}

std::string hot_lines_text(const core::Profile& profile) {
  std::string text;
  for (const auto& hot : profile.hot_lines) {
    std::string stalls;
    for (std::size_t i = 0; i < std::min(hot.stalls.size(), most_stalls); ++i)
      stalls += fmt::format("{}{} {:.0f} %", stalls.empty() ? "; waits for " : ", ",
                            hot.stalls[i].first, 100 * hot.stalls[i].second);
    text += fmt::format("- {}: {:.0f} % of the samples{}: `{}`\n",
                        hot.line > 0 ? fmt::format("line {}", hot.line) : "not in the source",
                        100 * hot.share, stalls, in_one_line(hot.text, longest_line));
  }
  return text;
}

std::string counters_text(const core::Profile& profile) {
  std::string text;
  for (const auto& metric : profile.metrics) {
    if (!metric.value || metric.line) continue;
    text += metric.launch
                ? fmt::format("{}[{}] = {:.6g}\n", metric.tag, *metric.launch, *metric.value)
                : fmt::format("{} = {:.6g}\n", metric.tag, *metric.value);
  }
  return text;
}

}  // namespace hone::agents
