#pragma once
// For tests only: a small tree of accepted nodes with times. 3 looks faster than 2, from which it
// was made, by times that were taken on different days; side by side it was not, so 2 stayed the
// incumbent.
#include "core/tree.h"

namespace hone::core::example {

inline Node& add_node(Tree& tree, int generation, double seconds, NodeId basis = 0,
                      Origin origin = Origin::experiment) {
  Node& node = tree.nodes.emplace_back();
  node.number = static_cast<NodeId>(tree.nodes.size());
  node.state = Node::State::judged;
  node.place = {.origin = origin, .generation = generation, .index = node.number};
  node.basis = basis;
  node.verdict = Verdict{.outcome = Outcome::accepted, .geomean = seconds};
  return node;
}

inline void fail(Node& node) {
  node.verdict->outcome = Outcome::wrong;
  node.verdict->geomean.reset();
}

inline Tree ranked_tree() {
  Tree tree;
  add_node(tree, 0, 9, 0, Origin::task_seed);
  add_node(tree, 1, 5, 1);
  add_node(tree, 2, 4.9, 2);
  add_node(tree, 2, 7, 1);
  tree.promotions = {{1, 0, ""}, {2, 1, ""}, {2, 2, ""}};
  return tree;
}

}  // namespace hone::core::example
