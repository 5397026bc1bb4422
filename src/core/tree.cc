#include "core/tree.h"

#include <algorithm>

namespace hone::core {
namespace {

constexpr std::string_view origins[] = {"task seed", "user seed", "translation", "attempt",
                                        "bootstrap", "one-shot",  "experiment"};
constexpr std::string_view roles[] = {"selector", "designer", "writer", "learner"};
constexpr std::string_view action_kinds[] = {"ask", "write", "probe", "explain", "promote"};

bool faster(const Node* a, const Node* b) { return a->seconds() < b->seconds(); }

}  // namespace

std::string_view name_of(Origin origin) { return origins[static_cast<std::size_t>(origin)]; }
std::string_view name_of(Role role) { return roles[static_cast<std::size_t>(role)]; }
std::string_view name_of(Action::Kind kind) { return action_kinds[static_cast<std::size_t>(kind)]; }

const Node* seed_of(const Tree& tree) {
  const Node *given = nullptr, *first = nullptr, *any = nullptr;
  for (const Node& node : tree.nodes) {
    if (!node.accepted()) continue;
    if (any == nullptr) any = &node;
    if (node.place.generation == 0 && (first == nullptr || faster(&node, first))) first = &node;
    if (is_given(node.place.origin) && (given == nullptr || faster(&node, given))) given = &node;
  }
  return given != nullptr ? given : first != nullptr ? first : any;
}

const Node* incumbent_before(const Tree& tree, int generation) {
  const Promotion* last = nullptr;
  for (const auto& promotion : tree.promotions)
    if (promotion.generation < generation) last = &promotion;
  return last == nullptr ? nullptr : tree.node(last->node);
}

const Node* incumbent_of(const Tree& tree) {
  return tree.promotions.empty() ? nullptr : tree.node(tree.promotions.back().node);
}

bool is_promoted_after(const Tree& tree, int generation) {
  return std::any_of(
      tree.promotions.begin(), tree.promotions.end(),
      [&](const Promotion& promotion) { return promotion.generation == generation; });
}

std::vector<const Node*> ranking(const Tree& tree, int before_generation) {
  std::vector<const Node*> ranked;
  for (const Node& node : tree.nodes)
    if (node.place.generation < before_generation && node.accepted()) ranked.push_back(&node);
  std::stable_sort(ranked.begin(), ranked.end(), faster);
  const Promotion* last = nullptr;
  for (const auto& promotion : tree.promotions)
    if (promotion.generation < before_generation) last = &promotion;
  if (last == nullptr) return ranked;
  const auto best = std::find_if(ranked.begin(), ranked.end(),
                                 [&](const Node* node) { return node->number == last->node; });
  if (best == ranked.end()) return ranked;
  const auto settled = std::find_if(ranked.begin(), best, [&](const Node* node) {
    return node->place.generation <= last->generation;
  });
  std::rotate(settled, best, best + 1);
  return ranked;
}

bool is_ancestor(const Tree& tree, NodeId older, NodeId younger) {
  for (const Node* at = tree.node(younger); at != nullptr && at->basis != 0;
       at = tree.node(at->basis))
    if (at->basis == older) return true;
  return false;
}

const ComparedWith* comparison_of(const Node& node, NodeId other) {
  for (const auto& compared : node.comparisons)
    if (compared.other == other) return &compared;
  return nullptr;
}

Intent::State state_of(const Tree& tree, const Intent& intent) {
  using State = Intent::State;
  if (intent.probed) return intent.probed->failure.empty() ? State::confirmed : State::open;
  bool worked = false, under_way = false;
  for (const Node& node : tree.nodes) {
    if (node.intent != intent.number) continue;
    under_way = under_way || node.state == Node::State::asked || node.state == Node::State::written;
    if (!node.accepted()) continue;
    worked = true;
    if (realised_gain(tree, node).value_or(0) > 0) return State::confirmed;
  }
  for (const DecidedAction& act : tree.actions)
    if (act.action.kind == Action::Kind::probe && act.action.intent == intent.number)
      under_way = under_way || act.state == DecidedAction::State::under_way;
  return under_way ? State::under_way : worked ? State::refuted : State::open;
}

std::optional<double> realised_gain(const Tree& tree, const Node& node) {
  const Node* basis = tree.node(node.basis);
  if (basis == nullptr || !basis->accepted() || !node.accepted()) return std::nullopt;
  if (const auto* compared = comparison_of(node, node.basis)) return 100 * (1 - compared->ratio);
  return 100 * (1 - node.seconds() / basis->seconds());
}

int places_taken(const Tree& tree) {
  return static_cast<int>(std::count_if(tree.nodes.begin(), tree.nodes.end(), [](const Node& node) {
    return !is_given(node.place.origin) && node.state != Node::State::unanswered;
  }));
}

}  // namespace hone::core
