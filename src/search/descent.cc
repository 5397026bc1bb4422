#include "search/descent.h"

#include <fmt/format.h>

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
    open_if_revived_[parent] += open_if_revived_[i];
    if (!search_.is_refuted(number) && !search_.is_dead_end(number)) open_[parent] += open_[i];
  }
}

bool Descent::can_expand(NodeId number) const {
  const SearchNode& node = search_.node(number);
  return node.accepted && node.same == 0 && expansions_.next_on(number) != Next::nothing;
}

int Descent::open(NodeId number, bool revives) const {
  if (revives) return open_if_revived_[static_cast<std::size_t>(number)];
  const bool pruned = search_.is_refuted(number) || search_.is_dead_end(number);
  return pruned ? 0 : open_[static_cast<std::size_t>(number)];
}

// Whether one more experiment on a node comes before its best child.
bool Descent::stays(NodeId number, NodeId best_child) const {
  if (!ready_[static_cast<std::size_t>(number)]) return false;
  if (best_child == 0) return true;
  const bool may_widen = expansions_.next_on(number) == Next::repair ||
                         search_.node(number).experiments < search_.allowed(number);
  return may_widen && search_.score_of_new(number) >= search_.score(best_child);
}

std::optional<Place> Descent::walk() const {
  const bool revives = open_[0] == 0;
  if (revives && (open_if_revived_[0] == 0 || search_.node(0).pending > 0)) return std::nullopt;
  for (NodeId at = 0;;) {
    NodeId best = 0;
    for (const NodeId child : search_.node(at).children)
      if (open(child, revives) > 0 && (best == 0 || search_.score(child) > search_.score(best)))
        best = child;
    if (!stays(at, best)) {
      at = best;
      continue;
    }
    const SearchNode& node = search_.node(at);
    return Place{
        at, fmt::format("score {:.2f} at {:05} (value {:.2f}, {} visits){}",
                        search_.score_of_new(at), at, search_.value(at), node.visits,
                        revives ? "; nothing else is left, so what was pruned is revived" : "")};
  }
}

std::string why_pruned(const SearchTree& search, NodeId number) {
  const SearchNode& node = search.node(number);
  if (search.is_refuted(number))
    return fmt::format("it is no faster than {:05}, which it was made from", node.parent);
  if (!search.is_dead_end(number)) return "";
  return fmt::format("{} candidates since {:05} brought nothing in its line", node.since_best,
                     node.best);
}

}  // namespace hone::search
