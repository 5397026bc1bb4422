#include "profile/programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/command.h"
#include "profile/launches.h"

namespace hone::profile {
namespace {

using nlohmann::json;

constexpr std::size_t most_output = std::size_t{1} << 20;
constexpr std::size_t most_advice = 16, longest_text = 4000, longest_complaint = 300;

std::string dump(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

json bound_json(std::optional<core::Bound> bound) { return bound ? json(core::name_of(*bound)) : json(nullptr); }

json launch_json(const Facts& facts, const LaunchShare& launch) {
  json value{{"index", launch.index},
             {"kernel", launch.kernel},
             {"share", launch.share},
             {"repeats", launch.repeats},
             {"metrics", facts.metrics.under("", launch.index)}};
  for (const auto& resolved : facts.plan.launches)
    if (resolved.plan_index == launch.index && !value.contains("grid"))
      value.update({{"grid", resolved.grid}, {"block", resolved.block}, {"shared", resolved.shared}});
  return value;
}

json device_json(const Facts& facts) {
  const auto& device = facts.device;
  return {{"name", device.name},
          {"arch", device.arch},
          {"cpu", device.is_cpu},
          {"sm_count", device.sm_count},
          {"warp_size", device.warp_size},
          {"shared_per_block", device.shared_per_block},
          {"l2_bytes", device.l2_bytes},
          {"ceilings",
           {{"read", facts.ceilings.read},
            {"write", facts.ceilings.write},
            {"copy", facts.ceilings.copy},
            {"flops", facts.ceilings.flops}}}};
}

std::string text_of(const json& value, const char* key) {
  return value.at(key).get<std::string>().substr(0, longest_text);
}

bool has_launch(const Facts& facts, int index) {
  return std::any_of(facts.plan.launches.begin(), facts.plan.launches.end(),
                     [&](const core::ResolvedLaunch& launch) { return launch.plan_index == index; });
}

// One advice as the program gave it; throws json::exception or a sentence where it makes no sense.
core::Advice advice_from(const json& value, const Facts& facts, const std::string& tool) {
  core::Advice advice;
  advice.tool = tool;
  const auto severity = core::severity_from(value.at("severity").get<std::string>());
  if (!severity) throw std::invalid_argument("a severity is one of critical, major, minor, note");
  advice.severity = *severity;
  advice.title = text_of(value, "title");
  advice.evidence = text_of(value, "evidence");
  advice.cause = text_of(value, "cause");
  advice.recommendation = text_of(value, "recommendation");
  advice.model = text_of(value, "model");
  const auto gain = value.at("gain").get<std::vector<double>>();
  if (gain.size() != 2 || !(gain[0] >= 0 && gain[0] <= gain[1] && gain[1] <= 100))
    throw std::invalid_argument("a gain is [low, high] with 0 <= low <= high <= 100");
  advice.gain = {gain[0], gain[1]};
  if (value.contains("launch") && !value.at("launch").is_null()) {
    advice.launch = value.at("launch").get<int>();
    if (!has_launch(facts, *advice.launch))
      throw std::invalid_argument("it names a launch that the plan does not have");
  }
  const auto newlines =
      facts.candidate == nullptr ? 0 : std::count(facts.candidate->source.begin(), facts.candidate->source.end(), '\n');
  for (const int line : value.value("lines", std::vector<int>{}))
    if (line >= 1 && line <= newlines + 1)
      advice.lines.push_back(line);
    else
      throw std::invalid_argument("it names a line that the source does not have");
  return advice;
}

std::string shortened(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text.size() > longest_complaint ? "..." + text.substr(text.size() - longest_complaint) : text;
}

// Why its end is no answer; "": it is one.
std::string complaint_of(const base::CommandEnd& end, std::chrono::milliseconds limit) {
  using Why = base::CommandEnd::Why;
  const std::string said = end.error_tail.empty() ? "" : ": " + shortened(end.error_tail);
  switch (end.why) {
    case Why::timed_out:
      return fmt::format("it did not answer within {} s and was ended{}", static_cast<double>(limit.count()) / 1000,
                         said);
    case Why::too_much:
      return fmt::format("it wrote more than {} KiB and was ended", most_output >> 10);
    case Why::signalled:
      return fmt::format("it was ended by signal {}{}", end.code, said);
    case Why::cancelled:
      return "it was stopped";
    case Why::exited:
      break;
  }
  return end.code == 0 ? "" : fmt::format("it ended with exit code {}{}", end.code, said);
}

}  // namespace

std::string facts_json(const Facts& facts) {
  json value{{"protocol", program_protocol},
             {"device", device_json(facts)},
             {"seconds", facts.seconds},
             {"roofline",
              {{"bytes", facts.roofline.bytes},
               {"flops", facts.roofline.flops_by_kind},
               {"seconds", facts.roofline.seconds},
               {"ceiling", facts.roofline.ceiling}}},
             {"diagnosis",
              {{"bound", core::name_of(facts.diagnosis.bound)},
               {"theory", bound_json(facts.diagnosis.theory)},
               {"measured", bound_json(facts.diagnosis.measured)},
               {"reason", facts.diagnosis.reason},
               {"disagreement", facts.diagnosis.disagreement}}},
             {"metrics", facts.metrics.under("", std::nullopt)},
             {"launches", json::array()},
             {"lines", json::array()}};
  if (facts.task != nullptr) value["task"] = facts.task->name;
  if (facts.which != nullptr) value["case"] = {{"name", facts.which->name}, {"symbols", facts.which->bindings}};
  if (facts.candidate != nullptr) {
    value["source"] = facts.candidate->source;
    value["language"] = core::name_of(facts.candidate->language);
  }
  for (const auto& launch : launches_of(facts)) value["launches"].push_back(launch_json(facts, launch));
  for (const auto& line : facts.lines)
    value["lines"].push_back({{"line", line.line},
                              {"text", line.text},
                              {"samples", line.samples},
                              {"stalls", line.stalls},
                              {"launch", line.launch ? json(*line.launch) : json(nullptr)}});
  return dump(value);
}

void run_program(const std::string& command, const std::string& facts_text, const Facts& facts, StageTwo& result,
                 std::chrono::milliseconds limit) {
  const std::string name = program_name(command);
  const std::atomic<bool> cancel{false};
  const auto end = base::run_command({command, facts_text, {}, limit, most_output}, cancel);
  std::string complaint = complaint_of(end, limit);
  std::vector<core::Advice> advice;
  if (complaint.empty()) try {
      const json answer = json::parse(end.output);
      if (answer.contains("left_out"))
        complaint = shortened(answer.at("left_out").get<std::string>());
      else if (answer.at("advice").size() > most_advice)
        complaint = fmt::format("it gave more than {} pieces of advice", most_advice);
      else
        for (const auto& one : answer.at("advice")) advice.push_back(advice_from(one, facts, name));
    } catch (const std::exception& error) {
      complaint = "its answer makes no sense: " + shortened(error.what());
    }
  if (complaint.empty())
    result.advice.insert(result.advice.end(), advice.begin(), advice.end());
  else
    result.left_out.push_back({name, complaint});
}

std::string program_name(const std::string& command) {
  // The first word that is a path or a file name; interpreters before it do not count.
  std::string first, best;
  for (std::size_t at = 0; at < command.size();) {
    const auto begin = command.find_first_not_of(' ', at);
    if (begin == std::string::npos) break;
    const auto end = std::min(command.find(' ', begin), command.size());
    std::string word = command.substr(begin, end - begin);
    at = end;
    if (word.starts_with("-")) continue;
    word = word.substr(word.find_last_of('/') + 1);
    if (first.empty()) first = word;
    if (best.empty() && word.find('.') != std::string::npos && !word.starts_with("python")) best = word;
  }
  return best.empty() ? first : best;
}

}  // namespace hone::profile
