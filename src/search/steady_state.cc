#include "search/steady_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "search/stop_rule.h"

namespace hone::search {

using core::Action;
using core::DecidedAction;
using core::Interval;
using core::Node;
using core::NodeId;
using core::Origin;
using core::Tree;

std::optional<Decision> beginning(const Tree& tree, const StrategySettings& settings,
                                  Capacity capacity) {
  if (!tree.promotions.empty()) return std::nullopt;
  const Node* given = nullptr;
  for (const Node& node : tree.nodes) {
    if (!core::is_given(node.place.origin)) continue;
    if (is_pending(node)) return wait();
    if (node.accepted() && (given == nullptr || node.seconds() < given->seconds())) given = &node;
  }
  if (given == nullptr)
    return first_generation(tree, settings, capacity,
                            {.at_once = std::max(1, settings.width), .most = most_from_nothing});
  return only({.kind = Action::Kind::promote,
               .generation = 0,
               .basis = given->number,
               .why = "the fastest of what was given"});
}

namespace {

struct Ratio {
  double estimate = 1;
  Interval interval{1, 1};
};

// Each node was compared with the incumbent of the moment when it was decided, so comparisons lead
// from every node back to the first incumbent. The time of a node over that of one on its way;
// nothing: they do not lead there.
std::optional<Ratio> ratio_to(const Tree& tree, NodeId from, NodeId to) {
  Ratio ratio;
  while (from != to) {
    const Node& node = *tree.node(from);
    const auto* compared = core::comparison_of(node, node.rival);
    if (compared == nullptr || node.rival >= from) return std::nullopt;
    ratio.estimate *= compared->ratio;
    ratio.interval.low *= compared->interval.low;
    ratio.interval.high *= compared->interval.high;
    from = node.rival;
  }
  return ratio;
}

struct Beaten {
  Ratio ratio;
  NodeId by_way_of = 0;  // 0: they were compared side by side
};

// Whether a node is faster than the incumbent, beyond the doubt of all comparisons between them.
std::optional<Beaten> beats(const Tree& tree, const Node& node, const Node& incumbent) {
  const auto* compared = core::comparison_of(node, node.rival);
  if (compared == nullptr || compared->word != core::Comparison::faster) return std::nullopt;
  for (NodeId common = node.rival; common != 0; common = tree.node(common)->rival) {
    const auto theirs = ratio_to(tree, incumbent.number, common);
    if (!theirs || theirs->interval.low <= 0) continue;
    const auto mine = ratio_to(tree, node.number, common);
    if (!mine) return std::nullopt;
    const Beaten found{
        {mine->estimate / theirs->estimate,
         {mine->interval.low / theirs->interval.high, mine->interval.high / theirs->interval.low}},
        common == incumbent.number ? 0 : common};
    return found.ratio.interval.high < 1 ? std::optional(found) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Action> promotion_due(const Tree& tree, const StrategySettings& settings) {
  const Node* incumbent = core::incumbent_of(tree);
  if (incumbent == nullptr) return std::nullopt;
  double best = 1;
  std::optional<Action> due;
  for (const Node& node : tree.nodes) {
    if (!node.accepted() || node.number == incumbent->number) continue;
    double ratio = 1;
    std::string why;
    if (!settings.compares) {
      ratio = node.seconds() / incumbent->seconds();
      if (ratio < best)
        why = fmt::format("{:.3f} of the time of {:05}, as its evaluator says", ratio,
                          incumbent->number);
    } else if (const auto beaten = beats(tree, node, *incumbent)) {
      const Interval& interval = beaten->ratio.interval;
      ratio = beaten->ratio.estimate;
      why = fmt::format(
          "{:.4f} of the time of {:05} (99 %: {:.4f} to {:.4f}){}", ratio, incumbent->number,
          interval.low, interval.high,
          beaten->by_way_of == 0 ? "" : fmt::format(", by way of {:05}", beaten->by_way_of));
    }
    if (ratio >= best) continue;
    best = ratio;
    due = Action{.kind = Action::Kind::promote,
                 .generation = static_cast<int>(tree.actions.size()) + 1,
                 .basis = node.number,
                 .why = std::move(why)};
  }
  return due;
}

NodeId best_without_generations(const Tree& tree, const StrategySettings& settings) {
  if (const auto due = promotion_due(tree, settings)) return due->basis;
  if (const Node* incumbent = core::incumbent_of(tree)) return incumbent->number;
  const auto ranked = core::ranking(tree, static_cast<int>(tree.actions.size()) + 1);
  return ranked.empty() ? 0 : ranked.front()->number;
}

void add_first_attempts(const Tree& tree, const StrategySettings& settings,
                        Expansions& expansions) {
  int attempts = 0;
  bool translated = false;
  for (const Node& node : tree.nodes) {
    translated = translated || node.place.origin == Origin::translation;
    attempts += node.place.origin == Origin::attempt && node.place.attempt == 1;
  }
  if (settings.translates && !translated)
    expansions.attempt(Origin::translation, "the reference, translated");
  for (; attempts < settings.attempts; ++attempts)
    if (!expansions.attempt(Origin::attempt, "from nothing")) return;
}

void add_learner(const Tree& tree, Expansions& expansions, int after) {
  std::vector<char> known(tree.nodes.size() + 1);
  for (const DecidedAction& act : tree.actions) {
    if (act.action.kind != Action::Kind::ask || act.action.role != core::Role::learner) continue;
    if (act.state == DecidedAction::State::under_way) return;
    for (const NodeId number : act.action.about) known[static_cast<std::size_t>(number)] = true;
  }
  std::vector<NodeId> about;
  for (const Node& node : tree.nodes)
    if (node.intent != 0 && node.verdict && !known[static_cast<std::size_t>(node.number)])
      about.push_back(node.number);
  if (static_cast<int>(about.size()) >= after) expansions.learn(std::move(about));
}

Decision ending(const Tree& tree, const StrategySettings& settings, Capacity capacity,
                const std::string& why) {
  const bool pending =
      std::any_of(tree.nodes.begin(), tree.nodes.end(), is_pending) ||
      std::any_of(tree.actions.begin(), tree.actions.end(), [](const DecidedAction& act) {
        return act.state == DecidedAction::State::under_way;
      });
  if (pending) return wait();
  Expansions expansions(tree, settings, capacity);
  add_learner(tree, expansions, 1);
  return expansions.empty() ? finished(why) : Decision{expansions.take(), "", ""};
}

std::string reason_to_end(const Tree& tree, const StrategySettings& settings) {
  if (settings.max_candidates > 0 && core::places_taken(tree) >= settings.max_candidates)
    return places_spent(settings);
  return nothing_left(tree, settings);
}

}  // namespace hone::search
