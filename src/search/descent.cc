#include "search/descent.h"

#include <fmt/format.h>

#include <algorithm>

#include "search/scores.h"

namespace hone::search {

using core::NodeId;

Descent::Descent(const SearchTree& search, const Expansions& expansions)
    : search_(search), expansions_(expansions) {
  update();
}

void Descent::update() {
  ready_.assign(search_.size(), false);
  open_.assign(search_.size(), 0);
  open_if_revived_.assign(search_.size(), 0);
  for (std::size_t i = search_.size(); i-- > 1;) {  // a parent comes before its children
    const auto number = static_cast<NodeId>(i);
    const auto parent = static_cast<std::size_t>(search_.node(number).parent);
    ready_[i] = can_expand(number);
    open_[i] += ready_[i];
    open_if_revived_[i] += ready_[i];
    if (!search_.node(number).accepted || search_.node(number).same != 0) continue;
    open_if_revived_[parent] += open_if_revived_[i];
    if (!is_pruned(number)) open_[parent] += open_[i];
  }
}

bool Descent::can_expand(NodeId number) const {
  const SearchNode& node = search_.node(number);
  return node.accepted && node.same == 0 && expansions_.next_on(number) != Next::nothing;
}

int Descent::open(NodeId number, bool revives) const {
  if (revives) return open_if_revived_[static_cast<std::size_t>(number)];
  return is_pruned(number) ? 0 : open_[static_cast<std::size_t>(number)];
}

bool Descent::is_pruned(NodeId number) const {
  return is_refuted(search_, number) || is_dead_end(search_, number);
}

// Of one more experiment on a node that cannot be begun yet; 0: it can, or nothing is under way.
double Descent::waiting_score(NodeId number) const {
  if (number == 0 || ready_[static_cast<std::size_t>(number)]) return 0;
  const Basis& basis = expansions_.basis(number);
  return basis.has_question || basis.unfinished > 0 ? score_of_new(search_, number) : 0;
}

// Whether one more experiment on a node comes before its best child.
bool Descent::stays(NodeId number, NodeId best_child) const {
  if (!ready_[static_cast<std::size_t>(number)]) return false;
  if (best_child == 0) return true;
  const bool may_widen = expansions_.next_on(number) == Next::repair ||
                         search_.node(number).experiments < allowed(search_, number);
  return may_widen && score_of_new(search_, number) >= score(search_, best_child);
}

std::optional<Place> Descent::walk() const {
  const bool revives = open_[0] == 0;
  if (revives && (open_if_revived_[0] == 0 || search_.node(0).pending > 0)) return std::nullopt;
  for (NodeId at = 0;;) {
    NodeId best = 0;
    double waits = waiting_score(at);
    for (const NodeId child : search_.node(at).children) {
      if (open(child, revives) > 0) {
        if (best == 0 || score(search_, child) > score(search_, best)) best = child;
      } else if (!revives && search_.node(child).pending > 0 && !is_pruned(child)) {
        waits = std::max(waits, score(search_, child));
      }
    }
    const bool stays_here = stays(at, best);
    const double reached = stays_here ? score_of_new(search_, at) : score(search_, best);
    if (reached < waits - search_.constants().slack) return std::nullopt;
    if (!stays_here) {
      at = best;
      continue;
    }
    const SearchNode& node = search_.node(at);
    return Place{
        at, fmt::format("score {:.2f} at {:05} (value {:.2f}, {} visits){}",
                        score_of_new(search_, at), at, value(search_, at), node.visits,
                        revives ? "; nothing else is left, so what was pruned is revived" : "")};
  }
}

std::string why_pruned(const SearchTree& search, NodeId number) {
  const SearchNode& node = search.node(number);
  if (is_refuted(search, number))
    return fmt::format("it is no faster than {:05}, which it was made from", node.parent);
  if (!is_dead_end(search, number)) return "";
  return fmt::format("{} candidates since {:05} brought nothing in its line", node.since_best,
                     node.best);
}

}  // namespace hone::search
