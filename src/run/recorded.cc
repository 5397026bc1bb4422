#include "run/recorded.h"

#include <set>
#include <string>

#include "run/names.h"

namespace hone::run {

std::map<core::NodeId, core::NodeId> numbers_of_recording(const llm::LlmClient& model, const core::Tree& tree) {
  std::map<core::NodeId, core::NodeId> numbers;
  const auto recorded = model.recorded();
  if (recorded.empty()) return numbers;
  std::map<std::string, const core::Node*> nodes;
  core::NodeId next = 0;  // in the order of the answers, as an earlier hone numbered
  for (const core::Node& node : tree.nodes) {
    nodes[name_of_place(node.place)] = &node;
    if (core::is_given(node.place.origin)) numbers[++next] = node.number;
  }
  std::set<std::string> probes;
  for (const core::Deed& deed : tree.deeds)
    if (deed.action.kind == core::Action::Kind::probe) probes.insert(writer_of(question_name(deed)));
  for (const auto& answer : recorded) {
    if (answer.role != core::name_of(core::Role::writer) || probes.contains(writer_of(answer.step))) continue;
    const auto found = nodes.find(answer.step);
    const bool asked = found != nodes.end();
    if (asked && found->second->candidate.empty()) continue;  // the answer held no candidate
    const core::NodeId number = answer.node != 0 ? answer.node : ++next;
    if (asked) numbers[number] = found->second->number;
  }
  return numbers;
}

}  // namespace hone::run
