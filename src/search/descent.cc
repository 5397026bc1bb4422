#include "search/descent.h"

#include <fmt/format.h>

namespace hone::search {

using core::NodeId;

Descent::Descent(const SearchTree& search, const Expansions& expansions)
    : search_(search), expansions_(expansions) {
  ready_.resize(search.size());
  ready_below_.resize(search.size());
  for (std::size_t i = search.size(); i-- > 1;) {  // a parent comes before its children
    const auto number = static_cast<NodeId>(i);
    ready_[i] = can_expand(number);
    ready_below_[i] += ready_[i];
    ready_below_[static_cast<std::size_t>(search.node(number).parent)] += ready_below_[i];
  }
}

bool Descent::can_expand(NodeId number) const {
  const SearchNode& node = search_.node(number);
  return node.accepted && node.same == 0 && expansions_.next_on(number) != Next::nothing;
}

void Descent::update(NodeId number) {
  const bool ready = can_expand(number);
  if (ready == ready_[static_cast<std::size_t>(number)]) return;
  ready_[static_cast<std::size_t>(number)] = ready;
  for (NodeId on_way = number;; on_way = search_.node(on_way).parent) {
    ready_below_[static_cast<std::size_t>(on_way)] += ready ? 1 : -1;
    if (on_way == 0) return;
  }
}

std::optional<Place> Descent::here(NodeId number, const std::string& revived) const {
  const SearchNode& node = search_.node(number);
  return Place{number, fmt::format("score {:.2f} at {:05} (value {:.2f}, {} visits){}",
                                   search_.score_of_new(number), number, search_.value(number),
                                   node.visits, revived)};
}

std::optional<Place> Descent::walk() const {
  std::string revived;
  for (NodeId at = 0;;) {
    NodeId live = 0, dead = 0;
    bool others_wait = at != 0 && expansions_.basis(at).has_question;
    for (const NodeId child : search_.node(at).children) {
      const bool is_dead = search_.is_dead_end(child);
      if (ready_below_[static_cast<std::size_t>(child)] == 0) {
        others_wait = others_wait || (!is_dead && search_.node(child).pending > 0);
        continue;
      }
      NodeId& best = is_dead ? dead : live;
      if (best == 0 || search_.score(child) > search_.score(best)) best = child;
    }
    const bool can_stay = ready_[static_cast<std::size_t>(at)];
    if (live != 0) {
      const bool may_widen = can_stay && (expansions_.next_on(at) == Next::repair ||
                                          search_.node(at).experiments < search_.allowed(at));
      if (may_widen && search_.score_of_new(at) >= search_.score(live)) return here(at, revived);
      at = live;
      continue;
    }
    if (can_stay) return here(at, revived);
    if (dead == 0 || others_wait) return std::nullopt;
    if (at != 0)
      revived = fmt::format("; nothing else is left below {:05}, so a dead end is revived", at);
    at = dead;
  }
}

}  // namespace hone::search
