#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "profile/launches.h"
#include "profile/programs.h"
#include "profile/recorded_call.h"
#include "profile/tool.h"

namespace hone::profile {
namespace {

// The class that stage one decided on, and what theory and measurement said each: where they
// disagree, the defect is on the side that lost.
bool fits(const Tool& tool, const core::Diagnosis& diagnosis) {
  const auto has = [&](std::optional<core::Bound> bound) {
    return bound &&
           std::find(tool.classes.begin(), tool.classes.end(), *bound) != tool.classes.end();
  };
  return tool.classes.empty() || diagnosis.bound == core::Bound::mixed || has(diagnosis.bound) ||
         has(diagnosis.theory) || has(diagnosis.measured);
}

bool has(const MetricTable& metrics, std::string_view need, std::optional<int> launch) {
  return need.ends_with('.') ? !metrics.under(need, launch).empty()
                             : metrics.get(need, launch).has_value();
}

// Of equal parts it is not known which is small.
bool matters(const LaunchShare& launch) { return launch.share >= least_share || !launch.timed; }

// The first of its needs that is not there, with the reason; empty: all are. A tool for the whole
// call needs them of the call or of every launch that matters.
std::string unmet(const Tool& tool, const Facts& facts) {
  for (const auto need : tool.needs) {
    if (has(facts.metrics, need, facts.launch)) continue;
    if (facts.launch)
      return fmt::format("needs {}: {}", need, facts.metrics.missing(need, facts.launch));
    for (const auto& launch : launches_of(facts))
      if (matters(launch) && !only_recorded(facts) && !has(facts.metrics, need, launch.index))
        return fmt::format("needs {}: {}", need, facts.metrics.missing(need, launch.index));
    if (only_recorded(facts))
      return fmt::format("needs {}: {}", need, facts.metrics.missing(need, std::nullopt));
    if (facts.plan.launches.empty()) return fmt::format("needs {}: there is no launch", need);
  }
  return "";
}

void look(const Tool& tool, const std::vector<Facts>& views, StageTwo& result) {
  std::string why;
  bool looked = false;
  for (const auto& view : views) {
    if (const auto need = unmet(tool, view); !need.empty()) {
      if (why.empty()) why = need;
      continue;
    }
    looked = true;
    // Figures that are no numbers come to no advice.
    auto advice = tool.look(view);
    if (!advice || !std::isfinite(advice->gain.low) || !std::isfinite(advice->gain.high)) continue;
    if (view.launch && !view.share_timed && view.share < 1)
      advice->evidence += fmt::format(
          " The launch's own time is not known: it counts as {} of the call.", percent(view.share));
    result.advice.push_back(std::move(*advice));
  }
  if (!why.empty())
    result.left_out.push_back(
        {std::string(tool.name), looked ? "for some launches: " + why : std::move(why)});
}

}  // namespace

bool fits(Hardware hardware, const core::DeviceInfo& device) {
  switch (hardware) {
    case Hardware::any:
      return true;
    case Hardware::gpu:
      return !core::capabilities(device).native_code;
    case Hardware::nvidia:
      return !core::capabilities(device).native_code && device.language == core::Language::cuda;
    case Hardware::cpu:
      return core::capabilities(device).native_code;
  }
  return false;
}

StageTwo run_tools(const Facts& facts, const std::vector<std::string>& programs) {
  StageTwo result;
  std::vector<Facts> whole{facts}, launches;
  whole.front().launch.reset();
  whole.front().share = 1;
  // Of kernels that were only recorded nothing is known but names and times, and no tool for a
  // launch has a word to say.
  for (const auto& launch : only_recorded(facts) ? std::vector<LaunchShare>() : launches_of(facts))
    if (matters(launch)) launches.push_back(seen_from(facts, launch));
  for (const auto& tool : tools())
    if (fits(tool.hardware, facts.device) && fits(tool, facts.diagnosis))
      look(tool, tool.whole_call ? whole : launches, result);
  if (programs.empty()) return result;
  const auto text = facts_json(facts);
  for (const auto& program : programs) run_program(program, text, facts, result);
  return result;
}

}  // namespace hone::profile
