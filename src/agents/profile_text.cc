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
