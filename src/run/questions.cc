#include "run/questions.h"

#include <algorithm>

#include "agents/python_text.h"
#include "agents/text.h"
#include "base/json.h"
#include "run/names.h"
#include "store/advice_ledger.h"
#include "store/findings.h"

namespace hone::run {

using core::Node;
using core::Origin;

namespace {

constexpr int most_findings = 40;

// Whether it comes from a run's experiments rather than from a person or a document.
bool learned_by_a_run(store::Archive& archive, const store::Finding& finding) {
  return !finding.run.empty() &&
         base::text_field(store::get_run(archive, finding.run).settings, "strategy") != "learn";
}

// Made from the node or from one that it comes from: its line has tried it too.
bool is_child_of_line(const core::Tree& tree, core::NodeId node, core::NodeId line) {
  const core::NodeId basis = tree.node(node) == nullptr ? 0 : tree.node(node)->basis;
  return basis != 0 && (basis == line || core::is_ancestor(tree, basis, line));
}

const agents::ShownNode* pointer(const std::optional<agents::ShownNode>& one) {
  return one ? &*one : nullptr;
}

}  // namespace

agents::SourceForm source_form(const RunContext& context) {
  if (context.task.external) return {agents::SourceForm::Kind::any, ""};
  if (context.writes_python())
    return {agents::SourceForm::Kind::python, agents::python_entry(context.task)};
  return {};
}

std::string source_extension(const RunContext& context) {
  if (context.task.external) return context.task.external->extension;
  return context.writes_python() ? "py" : context.language() == core::Language::cuda ? "cu" : "cl";
}

agents::Mission Questions::mission() const {
  agents::Mission mission =
      agents::mission_for(context_.task, context_.info, context_.writes_python());
  mission.ceilings = context_.ceilings;
  const store::FindingFilter filter{context_.task.name, context_.device_kind(), false,
                                    most_findings};
  journal_.archive().with([&](store::Archive& archive) {
    // The control arm knows what people and documents say, and nothing that a run has learned.
    for (const auto& finding : store::findings(archive, filter))
      if (context_.settings.strategy != "oneshot" || !learned_by_a_run(archive, finding))
        mission.findings.push_back(finding.text);
  });
  return mission;
}

std::vector<agents::ListedNode> Questions::judged_before(int generation) const {
  const core::Tree& tree = journal_.tree();
  const Node* incumbent = core::incumbent_before(tree, generation);
  std::vector<agents::ListedNode> list;
  for (const Node& node : tree.nodes)
    if (node.place.generation < generation && node.verdict) {
      list.push_back({&node, experiment_of(tree, node), &node == incumbent, ""});
      if (list.back().experiment == nullptr) list.back().design = design_of(node);
    }
  return list;
}

// What its writer says of it; of a given one what its first comment or its launches say.
std::string Questions::design_of(const Node& node) const {
  if (!node.report.empty()) return node.report;
  if (node.candidate.empty()) return "";
  std::string text;
  for (const std::string_view line : agents::lines_of(nodes_.source_of(node))) {
    const auto said = agents::trimmed(line);
    if (said.starts_with("//")) text += (text.empty() ? "" : " ") + std::string(said.substr(2));
    if (!text.empty() && !said.starts_with("//")) break;
  }
  if (!text.empty() || context_.task.external) return text;
  for (const auto& launch : nodes_.candidate_of(node).plan.launches)
    text += (text.empty() ? "launches " : ", ") + launch.kernel;
  return text;
}

std::vector<agents::FollowedAdvice> Questions::followed_on_line_of(core::NodeId basis) const {
  const core::Tree& tree = journal_.tree();
  const auto citations = journal_.archive().with(
      [&](store::Archive& archive) { return store::citations_of(archive, journal_.run()); });
  std::vector<agents::FollowedAdvice> list;
  for (const auto& citation : citations)
    if (citation.node &&
        (*citation.node == basis || core::is_ancestor(tree, *citation.node, basis) ||
         is_child_of_line(tree, *citation.node, basis)))
      list.push_back({*citation.node, citation.tool, citation.title, citation.predicted,
                      citation.outcome, citation.realised});
  return list;
}

std::vector<agents::NoCandidate> Questions::without_candidate(int before_generation) const {
  const core::Tree& tree = journal_.tree();
  std::vector<agents::NoCandidate> list;
  for (const core::Intent& intent : tree.intents) {
    if (intent.generation >= before_generation || intent.probed)
      continue;  // of a probe there is a finding
    bool written = false;
    std::string why;
    for (const Node& node : tree.nodes) {
      if (node.intent != intent.number) continue;
      written = written || !node.candidate.empty();
      if (node.state == Node::State::unusable) why = node.failure;
    }
    for (const core::DecidedAction& act : tree.actions)
      if (act.action.kind == core::Action::Kind::probe && act.action.intent == intent.number)
        why = act.failure;
    if (!written && !why.empty()) list.push_back({intent.experiment, why});
  }
  return list;
}

std::vector<std::string> Questions::advice_shown(core::NodeId basis) const {
  std::vector<std::string> ids;
  if (context_.settings.feedback != "tools") return ids;
  if (const auto profile = nodes_.profile_of(basis))
    for (const auto& advice : profile->advice) ids.push_back(advice.id);
  return ids;
}

llm::Request Questions::selector(int generation) const {
  return agents::ask_selector(mission(), judged_before(generation), without_candidate(generation));
}

llm::Request Questions::designer(const core::DecidedAction& act) const {
  const core::Action& action = act.action;
  const Node& basis = *journal_.tree().node(action.basis);
  const auto parent = nodes_.shown(basis.basis), reference = nodes_.shown(action.reference);
  const auto profile =
      context_.settings.feedback == "none" ? std::nullopt : nodes_.profile_of(basis.number);
  const agents::Feedback feedback{profile ? &*profile : nullptr,
                                  context_.settings.feedback == "raw"};
  return agents::ask_designer(mission(), nodes_.shown(basis), pointer(parent), pointer(reference),
                              judged_before(action.generation), feedback,
                              without_candidate(action.generation),
                              followed_on_line_of(basis.number));
}

namespace {

// Those that it names, else all of its generation.
bool is_about(const core::Action& learner, const Node& node) {
  if (node.intent == 0 || !node.verdict) return false;
  const auto& about = learner.about;
  return about.empty() ? node.place.generation == learner.generation
                       : std::find(about.begin(), about.end(), node.number) != about.end();
}

}  // namespace

std::optional<llm::Request> Questions::learner(const core::Action& action) const {
  const core::Tree& tree = journal_.tree();
  std::vector<agents::Tried> tried;
  for (const Node& node : tree.nodes) {
    if (!is_about(action, node)) continue;
    tried.push_back({*experiment_of(tree, node), *nodes_.shown(node.basis), nodes_.shown(node),
                     core::realised_gain(tree, node)});
  }
  if (tried.empty()) return std::nullopt;
  return agents::ask_learner(mission(), tried);
}

std::vector<std::string> Questions::objections(const core::Action& action) const {
  const core::Tree& tree = journal_.tree();
  std::vector<std::string> list;
  for (const Node& node : tree.nodes) {
    if (!is_about(action, node)) continue;
    for (const auto& objection : agents::check_report(
             node.report, nodes_.source_of(*tree.node(node.basis)), nodes_.source_as_written(node)))
      list.push_back(node_name(node.number) + ": " + objection);
  }
  return list;
}

llm::Request Questions::first_question(const Node& node) const {
  switch (node.place.origin) {
    case Origin::translation:
      return agents::ask_translation(mission());
    case Origin::attempt:
    case Origin::bootstrap:
    case Origin::one_shot:
      return agents::ask_first_attempt(mission(), node.place.index);
    default:
      break;
  }
  const core::Tree& tree = journal_.tree();
  const auto basis = nodes_.shown(node.basis), reference = nodes_.shown(node.reference);
  const auto basis_parent = nodes_.shown(basis->node.basis);
  const auto reference_parent = reference ? nodes_.shown(reference->node.basis) : std::nullopt;
  const auto profile =
      context_.settings.feedback == "tools" ? nodes_.profile_of(node.basis) : std::nullopt;
  return agents::ask_writer(
      mission(),
      {pointer(basis), pointer(basis_parent), pointer(reference), pointer(reference_parent)},
      *experiment_of(tree, node), profile ? &*profile : nullptr);
}

// The first question, and what was wrong with each answer since.
llm::Request Questions::writer(const Node& node) const {
  const Node* failed = journal_.tree().node(node.repairs);
  if (failed == nullptr) return first_question(node);
  const auto answered = journal_.archive().with([&](store::Archive& archive) {
    return store::answer_to(archive, journal_.run(), name_of_place(failed->place));
  });
  const std::string text = answered ? answered->text : "";
  if (failed->state != Node::State::judged)
    return agents::ask_again(writer(*failed), text, failed->failure);
  const auto refused = nodes_.shown(*failed);
  return agents::ask_again(writer(*failed), text,
                           agents::evidence_text(*refused.evaluation, context_.writes_python()),
                           refused.source);
}

std::string Questions::edited_source(const Node& node) const {
  const core::Tree& tree = journal_.tree();
  for (const Node* failed = tree.node(node.repairs); failed != nullptr;
       failed = tree.node(failed->repairs))
    if (failed->state == Node::State::judged) return nodes_.source_of(*failed);
  const Node* basis = tree.node(node.basis);
  return basis == nullptr ? "" : nodes_.source_of(*basis);
}

llm::Request Questions::probe(const core::Experiment& experiment) const {
  return agents::ask_probe_writer(mission(), experiment);
}

}  // namespace hone::run
