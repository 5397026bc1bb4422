#include <fmt/format.h>

#include <algorithm>

#include "agents/mission_values.h"
#include "agents/node_text.h"
#include "agents/profile_text.h"
#include "agents/text.h"
#include "base/resources.h"

namespace hone::agents {
namespace {

constexpr std::int64_t writer_tokens = 32000;  // a long source, its report, and room to think

// Where two kernels are to be united, a prompt cannot do without the second.
void keep_reference(llm::Prompt& prompt) {
  for (auto& section : prompt.sections)
    if (section.title.starts_with("Reference: ")) section.drop = 0;
}

}  // namespace

llm::Request ask_writer(const Mission& mission, const WriterView& view,
                        const Experiment& experiment, const core::Profile* profile) {
  auto values = writing_values(mission);
  auto& texts = values.texts;
  const auto whole = [&](const ShownNode* shown) {
    return shown == nullptr ? "" : times_text(*shown) + "\n" + source_text(mission, *shown);
  };
  texts["basis_id"] = view.basis == nullptr ? "" : node_id(view.basis->node.number);
  texts["basis"] = whole(view.basis);
  texts["basis_history"] = history_text(view.basis, view.basis_parent);
  texts["reference_id"] = view.reference == nullptr ? "" : node_id(view.reference->node.number);
  texts["reference"] = whole(view.reference);
  texts["reference_history"] = history_text(view.reference, view.reference_parent);
  texts["experiment"] = experiment_text(experiment);
  texts["advice"] = profile == nullptr ? "" : cited_text(*profile, experiment.advice);
  texts["edits"] = part("edits", values);
  auto request = request_for("writer", "writer", values, writer_tokens);
  if (experiment.kind == Experiment::Kind::combination) keep_reference(request.prompt);
  return request;
}

// Attempts that are all told the same come to the same design. One line of the resource for each;
// after the last the first comes again.
std::string family_of(int number) {
  std::vector<std::string_view> families;
  const std::string text = base::resource("prompts/families.md");
  for (const auto line : lines_of(text))
    if (!trimmed(line).empty()) families.push_back(trimmed(line));
  if (families.empty()) return "Any design.";
  return std::string(families[static_cast<std::size_t>(std::max(0, number - 1)) % families.size()]);
}

llm::Request ask_first_attempt(const Mission& mission, int number) {
  auto values = writing_values(mission);
  values.texts["number"] = fmt::format("{}", number);
  values.texts["family"] = family_of(number);
  return request_for("writer", "first_attempt", values, writer_tokens);
}

llm::Request ask_translation(const Mission& mission) {
  return request_for("writer", "translation", writing_values(mission), writer_tokens);
}

llm::Request ask_probe_writer(const Mission& given, const Experiment& experiment) {
  Mission mission = given;
  if (given.python) {  // a question to the hardware is device code, whatever the candidates are
    mission = mission_for(*given.task, given.device);
    mission.ceilings = given.ceilings;
    mission.findings = given.findings;
  }
  auto values = writing_values(mission);
  values.texts["experiment"] = experiment_text(experiment);
  values.texts["probe_format"] = part(
      mission.device.language == core::Language::cuda ? "probe_format.cuda" : "probe_format.opencl",
      values);
  return request_for("writer", "probe", values, writer_tokens);
}

}  // namespace hone::agents
