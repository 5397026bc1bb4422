#include "run/recorded.h"

#include <algorithm>
#include <set>
#include <string>

#include "agents/answers.h"
#include "run/names.h"

namespace hone::run {
namespace {

using Answers = std::vector<llm::RecordedAnswer>;

// The writers whose answers were probes: these became no candidates.
std::set<std::string> probes_of(const core::Tree& tree) {
  std::set<std::string> probes;
  for (const core::DecidedAction& act : tree.actions)
    if (act.action.kind == core::Action::Kind::probe) probes.insert(writer_of(question_name(act)));
  return probes;
}

// How many more kernels the recorded run was given than this one: its first selection names a
// candidate that this run would not have. Earlier versions counted the reference among them.
int given_besides(const Answers& recorded, int given) {
  constexpr core::NodeId most = 100'000;
  std::vector<core::NodeId> any(most);
  for (core::NodeId i = 0; i < most; ++i) any[static_cast<std::size_t>(i)] = i + 1;
  int written = 0;
  for (const auto& answer : recorded) {
    if (answer.role == core::name_of(core::Role::writer)) ++written;
    if (answer.role != core::name_of(core::Role::selector)) continue;
    llm::Reply reply;
    reply.text = answer.text;
    const auto selection = agents::parse_selection(reply, any);
    return selection
               ? std::max(0, std::max(selection->basis, selection->reference) - given - written)
               : 0;
  }
  return 0;
}

}  // namespace

std::map<core::NodeId, core::NodeId> numbers_of_recording(const llm::LlmClient& model,
                                                          const core::Tree& tree) {
  std::map<core::NodeId, core::NodeId> numbers;
  const Answers recorded = model.recorded();
  if (recorded.empty()) return numbers;
  std::map<std::string, const core::Node*> nodes;
  std::vector<core::NodeId> given;
  for (const core::Node& node : tree.nodes) {
    nodes[name_of_place(node.place)] = &node;
    if (core::is_given(node.place.origin)) given.push_back(node.number);
  }
  core::NodeId next = given_besides(recorded, static_cast<int>(given.size()));
  for (const core::NodeId number : given) numbers[++next] = number;
  const auto probes = probes_of(tree);
  for (const auto& answer : recorded) {
    if (answer.role != core::name_of(core::Role::writer) || probes.contains(writer_of(answer.step)))
      continue;
    const auto found = nodes.find(answer.step);
    const bool asked = found != nodes.end();
    if (asked && found->second->candidate.empty()) continue;  // the answer held no candidate
    const core::NodeId number = answer.node != 0 ? answer.node : ++next;
    if (asked) numbers[number] = found->second->number;
  }
  return numbers;
}

}  // namespace hone::run
