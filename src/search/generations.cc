#include "search/generations.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace hone::search {

using core::Action;
using core::DecidedAction;
using core::Node;
using core::Origin;
using core::Tree;

Actions::Actions(const Tree& tree, const StrategySettings& settings, Capacity capacity)
    : capacity_(capacity),
      places_(settings.max_candidates == 0
                  ? std::numeric_limits<int>::max()
                  : std::max(0, settings.max_candidates - core::places_taken(tree))) {}

void Actions::write(Action action) {
  action.kind = Action::Kind::write;
  action.role = core::Role::writer;
  --places_;
  ask(std::move(action));
}

void Actions::ask(Action action) {
  --capacity_.model;
  actions_.push_back(std::move(action));
}

std::string places_spent(const StrategySettings& settings) {
  return fmt::format("{} candidates were allowed", settings.max_candidates);
}

bool is_pending(const Node& node) {
  return node.state == Node::State::asked || node.state == Node::State::written;
}

bool anything_pending(const Tree& tree, int generation) {
  return std::any_of(tree.nodes.begin(), tree.nodes.end(),
                     [&](const Node& node) {
                       return node.place.generation == generation && is_pending(node);
                     }) ||
         std::any_of(tree.actions.begin(), tree.actions.end(), [&](const DecidedAction& act) {
           return act.action.generation == generation &&
                  act.state == DecidedAction::State::under_way;
         });
}

bool is_taken(const Tree& tree, const core::NodePosition& place) {
  return std::any_of(tree.nodes.begin(), tree.nodes.end(),
                     [&](const Node& node) { return node.place == place; });
}

bool has_failed(const Node& node) {
  if (core::is_given(node.place.origin)) return false;
  if (node.state == Node::State::unusable) return true;
  return node.state == Node::State::judged && !node.accepted() &&
         node.verdict->outcome != core::Outcome::undecided;
}

void add_repairs(const Tree& tree, const StrategySettings& settings, int generation,
                 Actions& actions) {
  for (const Node& node : tree.nodes) {
    if (node.place.generation != generation || !has_failed(node) ||
        node.place.attempt >= settings.tries)
      continue;
    if (!actions.may_write()) return;
    core::NodePosition place = node.place;
    ++place.attempt;
    if (is_taken(tree, place)) continue;
    actions.write({.generation = generation,
                   .basis = node.basis,
                   .reference = node.reference,
                   .repairs = node.number,
                   .intent = node.intent,
                   .place = place,
                   .why = "the one before failed"});
  }
}

Action from_nothing(core::Origin origin, int generation, int index) {
  return {.generation = generation,
          .place = {.origin = origin, .generation = generation, .index = index},
          .why = "from nothing"};
}

namespace {

// There is no kernel that works: writers make one.
Decision bootstrap(const Tree& tree, const StrategySettings& settings, Capacity capacity,
                   const FromNothing& rule) {
  if (unanswered_lately(tree) >= settings.tries) return {{}, "", no_answers};
  int tried = 0, answered = 0;
  for (const Node& node : tree.nodes) {
    if (node.place.origin != Origin::bootstrap) continue;
    tried = std::max(tried, node.place.index);
    answered += node.place.attempt == 1 && node.state != Node::State::unanswered;
  }
  if (answered >= rule.most)
    return finished("no first candidate was accepted, whichever model wrote it");
  Actions actions(tree, settings, capacity);
  if (!actions.has_places()) return finished(places_spent(settings));
  if (!actions.may_write()) return wait();
  for (int i = 0; i < rule.at_once && answered + i < rule.most && actions.may_write(); ++i)
    actions.write(from_nothing(Origin::bootstrap, 0, tried + 1 + i));
  return {actions.take(), "", ""};
}

}  // namespace

Decision first_generation(const Tree& tree, const StrategySettings& settings, Capacity capacity,
                          const FromNothing& rule) {
  Actions actions(tree, settings, capacity);
  const auto write_once = [&](Action action) {
    if (!is_taken(tree, action.place) && actions.may_write()) actions.write(std::move(action));
  };
  if (settings.translates) write_once(from_nothing(Origin::translation, 0, 1));
  for (int attempt = 1; attempt <= settings.attempts; ++attempt)
    write_once(from_nothing(Origin::attempt, 0, attempt));
  add_repairs(tree, settings, 0, actions);
  if (!actions.empty()) return {actions.take(), "", ""};
  if (anything_pending(tree, 0)) return wait();
  if (core::ranking(tree, 1).empty()) return bootstrap(tree, settings, capacity, rule);
  return only(*promotion(tree, settings, 0));
}

std::optional<Action> promotion(const Tree& tree, const StrategySettings& settings,
                                int generation) {
  const auto promote = [&](core::NodeId node, std::string why) {
    return Action{.kind = Action::Kind::promote,
                  .generation = generation,
                  .basis = node,
                  .why = std::move(why)};
  };
  const auto ranked = core::ranking(tree, generation + 1);
  if (ranked.empty()) return std::nullopt;
  const Node* before = core::incumbent_before(tree, generation);
  if (before == nullptr)
    return promote(ranked.front()->number, "the fastest of the first generation");
  Action choice = promote(before->number, "nothing was faster");
  double best = 1;
  for (const Node* node : ranked) {
    if (node->place.generation != generation) continue;
    double ratio = 1;
    std::string why;
    if (!settings.compares) {
      ratio = node->seconds() / before->seconds();
      why =
          fmt::format("{:.3f} of the time of {:05}, as its evaluator says", ratio, before->number);
    } else if (const auto* compared = core::comparison_of(*node, before->number);
               compared != nullptr && compared->word == core::Comparison::faster) {
      ratio = compared->ratio;
      why = fmt::format("{:.4f} of the time of {:05} (99 %: {:.4f} to {:.4f})", ratio,
                        before->number, compared->interval.low, compared->interval.high);
    }
    if (ratio >= best) continue;
    best = ratio;
    choice = promote(node->number, why);
  }
  return choice;
}

core::NodeId best_of(const Tree& tree, const StrategySettings& settings) {
  int last = 0;
  for (const Node& node : tree.nodes) last = std::max(last, node.place.generation);
  const auto choice = promotion(tree, settings, last);
  return choice ? choice->basis : 0;
}

int unanswered_lately(const Tree& tree) {
  int count = 0;
  for (auto act = tree.actions.rbegin();
       act != tree.actions.rend() && act->number > tree.actions_before; ++act) {
    const Node* node = tree.node(act->node);
    if (node == nullptr) continue;
    if (node->state != Node::State::unanswered) break;
    ++count;
  }
  return count;
}

}  // namespace hone::search
