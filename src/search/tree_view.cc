#include "search/tree_view.h"

#include <algorithm>
#include <cmath>

#include "search/descent.h"
#include "search/scores.h"
#include "search/search_tree.h"

namespace hone::search {

using core::NodeId;

std::vector<NodeView> view_of(const core::Tree& tree) {
  SearchTree search(tree, {});
  for (const core::DecidedAction& act : tree.actions)
    if (act.action.kind == core::Action::Kind::ask && act.action.role == core::Role::designer &&
        act.action.basis != 0)
      search.add_design(act.action.basis);
  std::vector<std::vector<NodeId>> children(tree.nodes.size() + 1);
  for (const core::Node& node : tree.nodes)
    children[static_cast<std::size_t>(node.basis)].push_back(node.number);
  const core::Node* incumbent = core::incumbent_of(tree);
  std::vector<NodeView> all;
  std::vector<std::pair<NodeId, int>> open;  // with their depths, the next one last
  const auto put_children = [&](NodeId of, int depth) {
    const auto& list = children[static_cast<std::size_t>(of)];
    for (auto child = list.rbegin(); child != list.rend(); ++child)
      open.emplace_back(*child, depth);
  };
  put_children(0, 0);
  while (!open.empty()) {
    const auto [number, depth] = open.back();
    open.pop_back();
    const SearchNode& placed = search.node(number);
    NodeView view{.number = number,
                  .parent = tree.node(number)->basis,
                  .same = placed.same,
                  .depth = depth,
                  .visits = placed.visits,
                  .pending = placed.pending,
                  .best = placed.best,
                  .since_best = placed.since_best,
                  .is_incumbent = incumbent != nullptr && incumbent->number == number,
                  .children = children[static_cast<std::size_t>(number)]};
    if (const auto& speed = search.speeds().of(number)) view.speedup = std::exp(*speed);
    if (placed.accepted) {
      view.value = value(search, number);
      view.score = score(search, number);
      if (!view.is_incumbent) view.pruned = why_pruned(search, number);
    }
    all.push_back(std::move(view));
    put_children(number, depth + 1);
  }
  return all;
}

}  // namespace hone::search
