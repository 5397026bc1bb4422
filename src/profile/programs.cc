#include "profile/programs.h"

#include <fmt/format.h>

#include <atomic>

#include "base/command.h"
#include "base/json.h"
#include "core/source_lines.h"
#include "profile/launches.h"
#include "profile/program_answer.h"
#include "profile/program_words.h"

namespace hone::profile {
namespace {

constexpr std::size_t most_output = std::size_t{1} << 20;
constexpr std::size_t longest_output = 300;

void describe_launch(base::Fields& f, const Facts& facts, const LaunchShare& launch) {
  f("index", launch.index)("kernel", launch.kernel)("share", launch.share);
  f("repeats", launch.repeats)("metrics", facts.metrics.under("", launch.index));
  const auto& launches = facts.plan.launches;
  const auto resolved = std::find_if(launches.begin(), launches.end(), [&](const auto& one) {
    return one.plan_index == launch.index;
  });
  if (resolved == launches.end()) return;
  f("grid", resolved->grid);
  f("block", resolved->block)("shared", resolved->shared);
}

void describe_device(base::Fields& f, const Facts& facts) {
  const auto& device = facts.device;
  f("name", device.name)("arch", device.arch)("cpu", device.is_cpu)("sm_count", device.sm_count);
  f("warp_size", device.warp_size)("shared_per_block", device.shared_per_block);
  f("l2_bytes", device.l2_bytes)("ceilings", facts.ceilings);
}

void describe_facts(base::Fields& f, const Facts& facts) {
  f("protocol", program_protocol);
  f.group("device", [&] { describe_device(f, facts); });
  f("seconds", facts.seconds);
  f.group("roofline", [&] {
    f("bytes", facts.roofline.bytes)("flops", facts.roofline.flops_by_kind);
    f("seconds", facts.roofline.seconds)("ceiling", facts.roofline.ceiling);
  });
  f("diagnosis", facts.diagnosis)("metrics", facts.metrics.under("", std::nullopt));
  if (facts.task != nullptr) f("task", facts.task->name);
  if (facts.which != nullptr)
    f.group("case", [&] { f("name", facts.which->name)("symbols", facts.which->bindings); });
  if (facts.candidate != nullptr) {
    f("source", core::counted_text(facts.candidate->source));  // in which lines have their numbers
    f("language", facts.candidate->language);
  }
  f.list("launches", launches_of(facts),
         [&](const LaunchShare& launch) { describe_launch(f, facts, launch); });
  f.list("lines", facts.lines, [&](const auto& line) {
    f("line", line.line)("text", line.text)("samples", line.samples)("stalls", line.stalls);
    f("code", line.code)("launch", line.launch);
  });
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
  return base::json_line([&](base::Fields& f) { describe_facts(f, facts); });
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
