#include "search/expansions.h"

#include <fmt/format.h>

#include <algorithm>

#include "search/own_experiments.h"

namespace hone::search {

using core::Action;
using core::DecidedAction;
using core::Experiment;
using core::Node;
using core::NodeId;
using core::Origin;
using core::Tree;

Expansions::Expansions(const Tree& tree, const StrategySettings& settings, Capacity capacity)
    : tree_(tree),
      actions_(tree, settings, capacity),
      explanations_(capacity.judge),
      bases_(bases_of(tree, settings)) {
  for (const DecidedAction& act : tree.actions) {
    if (act.state != DecidedAction::State::under_way && act.node == 0) continue;
    if (act.action.kind == Action::Kind::explain) --explanations_;
    const Node* node = tree.node(act.node);
    const bool writes = node != nullptr && is_pending(*node);
    if (writes || act.action.kind == Action::Kind::probe)
      writers_.push_back(act.action.place.index);
  }
}

Action Expansions::numbered(Action action) {
  ++added_;
  action.generation = action.place.generation =
      static_cast<core::ActionId>(tree_.actions.size()) + added_;
  return action;
}

void Expansions::keep_bold(NodeId number, double innovation, double gain) {
  Basis& basis = bases_[static_cast<std::size_t>(number)];
  if (basis.stock.empty()) return;
  const auto experiment = [&](const Stocked& one) -> const Experiment& {
    return tree_.intent(one.intent)->experiment;
  };
  std::stable_sort(basis.stock.begin(), basis.stock.end(), [&](const Stocked& a, const Stocked& b) {
    return experiment(a).innovation > experiment(b).innovation;
  });
  const auto of_last =
      std::count_if(basis.stock.begin(), basis.stock.end(),
                    [&](const Stocked& one) { return one.designer == basis.designers.back(); });
  const Stocked boldest = basis.stock.front();
  std::erase_if(basis.stock, [&](const Stocked& one) {
    const Experiment& it = experiment(one);
    return it.innovation < innovation && (it.gain_low + it.gain_high) / 2 < gain;
  });
  if (basis.stock.empty() && of_last == basis.designed) basis.stock.push_back(boldest);
}

void Expansions::keep_promising(NodeId number, double gain) {
  std::erase_if(bases_[static_cast<std::size_t>(number)].stock, [&](const Stocked& one) {
    const Experiment& it = tree_.intent(one.intent)->experiment;
    return (it.gain_low + it.gain_high) / 2 < gain;
  });
}

Next Expansions::next_on(NodeId number) const {
  return search::next_on(basis(number), explanations_ > 0);
}

bool Expansions::expand(NodeId number, const std::string& why) {
  Basis& basis = bases_[static_cast<std::size_t>(number)];
  switch (next_on(number)) {
    case Next::nothing:
      return false;
    case Next::repair:
      return repair(basis.broken.front(), why);
    case Next::experiment:
      return take_stock(number, 0, why);
    case Next::general:
      return own_experiment(number, basis.children.empty() ? 0 : reference_for(tree_, number),
                            general_experiment(), "general",
                            why + "; the designer gave no usable answer");
    case Next::explain:
      --explanations_;
      basis.is_unexplained = false;
      basis.has_question = true;
      actions_.add(numbered({.kind = Action::Kind::explain,
                             .basis = number,
                             .why = why + "; its first design follows"}));
      return true;
    case Next::design:
      return ask_designer(number, why);
  }
  return false;
}

bool Expansions::ask_designer(NodeId number, const std::string& why) {
  if (actions_.questions_left() <= 0) return false;
  Basis& basis = bases_[static_cast<std::size_t>(number)];
  basis.has_question = true;
  basis.has_newer_profile = false;
  actions_.ask(numbered({.kind = Action::Kind::ask,
                         .role = core::Role::designer,
                         .basis = number,
                         .reference = reference_for(tree_, number),
                         .why = why}));
  return true;
}

bool Expansions::repair(NodeId failed, const std::string& why) {
  if (!may_write()) return false;
  const Node& node = *tree_.node(failed);
  std::erase(bases_[static_cast<std::size_t>(node.basis)].broken, failed);
  Action action{.basis = node.basis,
                .reference = node.reference,
                .repairs = failed,
                .intent = node.intent,
                .place = node.place,
                .why = why.empty() ? "the one before failed" : why + "; the one before failed"};
  ++action.place.attempt;
  actions_.write(numbered(std::move(action)));
  return true;
}

bool Expansions::take_stock(NodeId number, std::size_t position, const std::string& why) {
  if (!may_write()) return false;
  Basis& basis = bases_[static_cast<std::size_t>(number)];
  const Stocked taken = basis.stock[position];
  const core::Intent& intent = *tree_.intent(taken.intent);
  const Experiment& experiment = intent.experiment;
  basis.stock.erase(basis.stock.begin() + static_cast<std::ptrdiff_t>(position));
  Action action{.basis = number, .reference = intent.reference, .intent = taken.intent};
  action.taken_as = taken.rule;
  action.why = fmt::format("{}; {} of its experiments ({:g} to {:g} %)", why, taken.rule,
                           experiment.gain_low, experiment.gain_high);
  begin(std::move(action), experiment.kind == Experiment::Kind::probe);
  return true;
}

bool Expansions::own_experiment(NodeId basis, NodeId reference, Experiment experiment,
                                const std::string& taken_as, const std::string& why) {
  if (!may_write()) return false;
  const bool is_probe = experiment.kind == Experiment::Kind::probe;
  bases_[static_cast<std::size_t>(basis)].needs_general = false;
  Action action{.basis = basis, .reference = reference, .experiment = std::move(experiment)};
  // The intent's own number is given when the decision is numbered; taken_as belongs to it.
  action.taken_as = taken_as;
  action.why = why;
  begin(std::move(action), is_probe);
  return true;
}

void Expansions::begin(Action action, bool is_probe) {
  Basis& basis = bases_[static_cast<std::size_t>(action.basis)];
  ++basis.experiments;
  ++basis.unfinished;
  int index = 1;
  while (std::find(writers_.begin(), writers_.end(), index) != writers_.end()) ++index;
  writers_.push_back(index);
  action.place = {.origin = Origin::experiment, .index = index};
  if (!is_probe) return actions_.write(numbered(std::move(action)));
  action.kind = Action::Kind::probe;
  actions_.ask(numbered(std::move(action)));
}

bool Expansions::attempt(Origin origin, const std::string& why) {
  if (!may_write()) return false;
  int index = 1;
  for (const Node& node : tree_.nodes)
    if (node.place.origin == origin) index = std::max(index, node.place.index + 1);
  Action action = from_nothing(origin, 0, index + (origin == Origin::attempt ? attempts_++ : 0));
  action.why = why;
  actions_.write(numbered(std::move(action)));
  return true;
}

void Expansions::learn(std::vector<NodeId> about) {
  const auto count = about.size();
  actions_.ask(numbered({.kind = Action::Kind::ask,
                         .role = core::Role::learner,
                         .about = std::move(about),
                         .why = fmt::format("{} experiments were judged", count)}));
}

NodeId reference_for(const Tree& tree, NodeId basis) {
  const Node* best = nullptr;
  for (const Node& node : tree.nodes)
    if (node.accepted() && node.number != basis &&
        (best == nullptr || node.seconds() < best->seconds()) &&
        !core::is_ancestor(tree, node.number, basis) &&
        !core::is_ancestor(tree, basis, node.number))
      best = &node;
  return best != nullptr ? best->number : tree.node(basis)->basis;
}

}  // namespace hone::search
