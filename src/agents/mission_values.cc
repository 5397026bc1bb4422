#include "agents/mission_values.h"

#include <fmt/format.h>

#include <algorithm>

#include "agents/python_text.h"
#include "agents/task_text.h"
#include "agents/text.h"
#include "base/resources.h"

namespace hone::agents {
namespace {

constexpr std::size_t newest_findings = 12;  // these are told longest
constexpr int drop_older_findings = 40, drop_knowledge = 30, drop_newest_findings = 10;

std::string findings_list(const std::vector<std::string>& findings, std::size_t from,
                          std::size_t to) {
  std::string text;
  for (auto i = from; i < std::min(to, findings.size()); ++i)
    text += fmt::format("- {}\n", trimmed(findings[i]));
  return text;
}

std::vector<llm::Section> finding_sections(const std::vector<std::string>& findings) {
  std::vector<llm::Section> sections;
  if (const auto text = findings_list(findings, 0, newest_findings); !text.empty())
    sections.push_back({"Findings, newest first", text, drop_newest_findings});
  if (const auto text = findings_list(findings, newest_findings, findings.size()); !text.empty())
    sections.push_back({"Older findings", text, drop_older_findings});
  return sections;
}

// The cards come most specific first, and go in the opposite order.
std::vector<llm::Section> knowledge_sections(const std::vector<std::string>& cards) {
  std::vector<llm::Section> sections;
  for (const auto& card : cards) {
    std::string_view text = trimmed(card), title = "Notes";
    if (text.starts_with("# ")) {
      const auto end = std::min(text.find('\n'), text.size());
      title = trimmed(text.substr(2, end - 2));
      text = trimmed(text.substr(end));
    }
    const int behind =
        std::min<int>(static_cast<int>(sections.size()), drop_older_findings - drop_knowledge - 1);
    sections.push_back(
        {fmt::format("Knowledge: {}", title), std::string(text), drop_knowledge + behind});
  }
  return sections;
}

std::string format_file(const Mission& mission) {
  if (!mission.external.empty()) return "candidate_format.external";
  if (mission.python) return "candidate_format.python";
  return mission.device.language == core::Language::cuda ? "candidate_format.cuda"
                                                         : "candidate_format.opencl";
}

// A task of torch's is judged where torch is; on a CPU plans cannot mix operations and kernels.
bool offers_operations(const Mission& mission) {
  return mission.external.empty() && !mission.python && mission.task->reference_py &&
         mission.device.language == core::Language::cuda;
}

std::string language_of(const core::DeviceInfo& device, bool python) {
  if (python) return device.is_cpu ? "Python (torch)" : "Python (torch, CUDA C++, Triton)";
  return device.language == core::Language::cuda     ? "CUDA C++"
         : device.language == core::Language::opencl ? "OpenCL C"
                                                     : std::string(core::name_of(device.language));
}

std::string judging_file(const Mission& mission) {
  return !mission.external.empty() ? "judging.external"
         : mission.python          ? "judging.python"
                                   : "judging";
}

}  // namespace

Mission mission_for(const core::Task& task, const core::DeviceInfo& device, bool python) {
  Mission mission;
  mission.task = &task;
  if (const auto& external = task.external) {
    mission.language = external->language;
    mission.external = external->statement;
    mission.knowledge = knowledge_for(external->knowledge);
    return mission;
  }
  mission.device = device;
  mission.python = python;
  mission.language = language_of(device, python);
  if (!python || !device.is_cpu)
    mission.knowledge = knowledge_for(device);  // of CPUs there are cards for OpenCL only
  return mission;
}

Values mission_values(const Mission& mission) {
  Values values;
  values.texts = {{"task", task_text(mission)},     {"reference_code", reference_text(mission)},
                  {"device", device_text(mission)}, {"targets", targets_text(mission)},
                  {"language", mission.language},   {"fence", language_tag(mission)}};
  values.sections = {{"findings", finding_sections(mission.findings)},
                     {"knowledge", knowledge_sections(mission.knowledge)}};
  return values;
}

Values writing_values(const Mission& mission) {
  auto values = mission_values(mission);
  if (mission.python) {
    add_python_call(*mission.task, values);
    values.texts["means"] =
        part(mission.device.is_cpu ? "python_means.cpu" : "python_means.cuda", values);
  }
  values.texts["undecided"] = part(mission.python ? "undecided.python" : "undecided", values);
  values.texts["format"] = part(format_file(mission), values);
  if (offers_operations(mission))
    values.texts["format"] += "\n\n" + part("operations.cuda", values);
  values.texts["judging"] = part(judging_file(mission), values);
  return values;
}

llm::Request request_for(const std::string& role, const std::string& prompt, const Values& values,
                         std::int64_t max_output_tokens) {
  llm::Request request;
  request.role = role;
  request.prompt = filled(prompt, values);
  request.max_output_tokens = max_output_tokens;
  return request;
}

llm::ToolDefinition tool_from(const std::string& name, const std::string& description) {
  return {name, description, base::resource("prompts/" + name + ".schema.json")};
}

}  // namespace hone::agents
