#include "profile/programs.h"

#include <fmt/format.h>

#include <atomic>
#include <nlohmann/json.hpp>

#include "base/command.h"
#include "core/source_lines.h"
#include "profile/launches.h"
#include "profile/program_answer.h"
#include "profile/program_words.h"

namespace hone::profile {
namespace {

using nlohmann::json;

constexpr std::size_t most_output = std::size_t{1} << 20;
constexpr std::size_t longest_output = 300;

std::string dump(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

json bound_json(std::optional<core::Bound> bound) {
  return bound ? json(core::name_of(*bound)) : json(nullptr);
}

json launch_json(const Facts& facts, const LaunchShare& launch) {
  json value{{"index", launch.index},
             {"kernel", launch.kernel},
             {"share", launch.share},
             {"repeats", launch.repeats},
             {"metrics", facts.metrics.under("", launch.index)}};
  for (const auto& resolved : facts.plan.launches)
    if (resolved.plan_index == launch.index && !value.contains("grid"))
      value.update(
          {{"grid", resolved.grid}, {"block", resolved.block}, {"shared", resolved.shared}});
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
            {"groups", facts.ceilings.groups},
            {"calls", facts.ceilings.calls},
            {"flops", facts.ceilings.flops}}}};
}

std::string shortened(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text.size() > longest_output ? "..." + text.substr(text.size() - longest_output) : text;
}

// Why its end is no answer; "": it is one.
std::string complaint_of(const base::CommandEnd& end, std::chrono::milliseconds limit) {
  using Why = base::CommandEnd::Why;
  const std::string said = end.error_tail.empty() ? "" : ": " + shortened(end.error_tail);
  switch (end.why) {
    case Why::timed_out:
      return fmt::format("it did not answer within {} s and was ended{}",
                         static_cast<double>(limit.count()) / 1000, said);
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
  if (facts.which != nullptr)
    value["case"] = {{"name", facts.which->name}, {"symbols", facts.which->bindings}};
  if (facts.candidate != nullptr) {
    value["source"] =
        core::counted_text(facts.candidate->source);  // in which lines have their numbers
    value["language"] = core::name_of(facts.candidate->language);
  }
  for (const auto& launch : launches_of(facts))
    value["launches"].push_back(launch_json(facts, launch));
  for (const auto& line : facts.lines)
    value["lines"].push_back({{"line", line.line},
                              {"text", line.text},
                              {"samples", line.samples},
                              {"stalls", line.stalls},
                              {"code", line.code},
                              {"launch", line.launch ? json(*line.launch) : json(nullptr)}});
  return dump(value);
}

void run_program(const std::string& command, const std::string& facts_text, const Facts& facts,
                 StageTwo& result, std::chrono::milliseconds limit) {
  const std::string name = program_name(command);
  const auto leave_out = [&](std::string why) {
    result.left_out.push_back({name, std::move(why)});
  };
  const auto words = program_words(command);
  if (!words) return leave_out(words.error());
  const std::atomic<bool> cancel{false};
  const auto end =
      base::run_command({"", facts_text, {}, limit, most_output, *words, true}, cancel);
  if (const auto complaint = complaint_of(end, limit); !complaint.empty())
    return leave_out(complaint);
  const auto advice = read_answer(end.output, facts, name);
  if (!advice) return leave_out(advice.error());
  result.advice.insert(result.advice.end(), advice->begin(), advice->end());
}

}  // namespace hone::profile
