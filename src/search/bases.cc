#include "search/bases.h"

#include <algorithm>

#include "search/experiment_order.h"
#include "search/generations.h"

namespace hone::search {
namespace {

using core::Action;
using core::DecidedAction;
using core::Intent;
using core::Node;
using core::Tree;

struct Reading {
  const Tree& tree;
  const StrategySettings& settings;
  std::vector<Basis> bases;
  // By intent.
  std::vector<char> begun, under_way, own;
  std::vector<core::ActionId> begun_by;

  Basis& at(core::NodeId number) { return bases[static_cast<std::size_t>(number)]; }

  // Nodes, and the intents that they implement.
  void read_nodes() {
    std::vector<char> repaired(tree.nodes.size() + 1);
    for (const Node& node : tree.nodes)
      if (node.state != Node::State::unanswered)
        repaired[static_cast<std::size_t>(node.repairs)] = true;
    for (const Node& node : tree.nodes) {
      if (node.state == Node::State::unanswered) continue;
      Basis& basis = at(node.basis);
      basis.children.push_back(node.number);
      if (has_failed(node) && node.place.attempt < settings.tries &&
          !repaired[static_cast<std::size_t>(node.number)])
        basis.broken.push_back(node.number);
      if (node.intent != 0 && is_pending(node))
        under_way[static_cast<std::size_t>(node.intent)] = true;
    }
  }

  void read_action(const DecidedAction& act) {
    const Action& action = act.action;
    const bool goes_on = act.state == DecidedAction::State::under_way;
    Basis& basis = at(action.basis);
    switch (action.kind) {
      case Action::Kind::ask:
        if (action.role != core::Role::designer) return;
        basis.has_question = basis.has_question || goes_on;
        basis.designers.push_back(act.number);
        basis.has_newer_profile = false;
        return;
      case Action::Kind::explain:
        basis.has_question = basis.has_question || goes_on;
        basis.is_unexplained = false;
        basis.has_newer_profile = !basis.designers.empty() && has_profile(action.basis);
        return;
      case Action::Kind::write:
      case Action::Kind::probe: {
        if (action.intent == 0) return;
        const auto intent = static_cast<std::size_t>(action.intent);
        // A question that got no answer leaves its experiment to be begun again.
        const Node* node = tree.node(act.node);
        if (node != nullptr && node->state == Node::State::unanswered) return;
        if (action.kind == Action::Kind::probe && goes_on) under_way[intent] = true;
        if (!begun[intent]) ++basis.experiments;
        begun[intent] = true;
        own[intent] = own[intent] || action.experiment.has_value();
        begun_by[intent] = act.number;
        return;
      }
      case Action::Kind::promote:
        return;
    }
  }

  bool has_profile(core::NodeId number) const {
    const Node* node = tree.node(number);
    return node != nullptr && node->profile && !node->profile->profile.empty();
  }

  // The newest design first: it knows most. Probes stay away where they cannot be run.
  void fill_stock(Basis& basis) {
    for (auto number = basis.designers.rbegin(); number != basis.designers.rend(); ++number) {
      const DecidedAction& designer = tree.actions[static_cast<std::size_t>(*number) - 1];
      if (!designer.design) continue;
      const auto& designed = designer.design->experiments;
      for (const Taken& taken : take_experiments(designed, designed.size(), stock_rules())) {
        const core::IntentId intent = designer.intents[taken.position];
        const bool is_probe = designed[taken.position].kind == core::Experiment::Kind::probe;
        if (!begun[static_cast<std::size_t>(intent)] && (settings.probes || !is_probe))
          basis.stock.push_back({intent, taken.rule, *number});
      }
    }
    if (basis.designers.empty()) return;
    const DecidedAction& last = tree.actions[static_cast<std::size_t>(basis.designers.back()) - 1];
    basis.designed = last.design ? static_cast<int>(last.design->experiments.size()) : 0;
    for (const core::IntentId intent : last.intents)
      basis.unfinished += under_way[static_cast<std::size_t>(intent)];
    basis.needs_general = last.state == DecidedAction::State::failed;
  }

  // Experiments of the strategy's own take the place of a design that failed.
  void count_own() {
    for (const Intent& intent : tree.intents) {
      const auto number = static_cast<std::size_t>(intent.number);
      if (!own[number]) continue;
      Basis& basis = at(intent.basis);
      if (basis.designers.empty() || begun_by[number] < basis.designers.back()) continue;
      basis.unfinished += under_way[number];
      basis.needs_general = false;
    }
  }
};

}  // namespace

std::vector<Basis> bases_of(const Tree& tree, const StrategySettings& settings) {
  const std::size_t intents = tree.intents.size() + 1;
  Reading reading{tree,
                  settings,
                  std::vector<Basis>(tree.nodes.size() + 1),
                  std::vector<char>(intents),
                  std::vector<char>(intents),
                  std::vector<char>(intents),
                  std::vector<core::ActionId>(intents)};
  for (const Node& node : tree.nodes)
    reading.at(node.number).is_unexplained =
        settings.explains && node.accepted() && !reading.has_profile(node.number);
  reading.read_nodes();
  for (const DecidedAction& act : tree.actions) reading.read_action(act);
  for (std::size_t i = 1; i < reading.bases.size(); ++i)
    if (!reading.bases[i].designers.empty()) reading.fill_stock(reading.bases[i]);
  reading.count_own();
  return std::move(reading.bases);
}

Next next_on(const Basis& basis, bool may_explain) {
  if (!basis.broken.empty()) return Next::repair;
  const bool asks_anew = basis.has_newer_profile && !basis.has_question;
  if (!basis.stock.empty() && !asks_anew) return Next::experiment;
  if (basis.has_question) return Next::nothing;
  if (basis.needs_general) return Next::general;
  // A designer that is asked while most of its last experiments are under way would design them
  // again: it is told what was judged.
  if (!asks_anew && 2 * basis.unfinished > basis.designed) return Next::nothing;
  if (basis.is_unexplained) return may_explain ? Next::explain : Next::nothing;
  return Next::design;
}

}  // namespace hone::search
