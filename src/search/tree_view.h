#pragma once
// A run's tree as a tree search sees it, for people: visits, value, the best of each subtree, and
// why nothing is done in it. The same for every strategy, whether it used these figures or not.
// Pure functions.
#include <optional>
#include <string>
#include <vector>

#include "core/tree.h"

namespace hone::search {

struct NodeView {
  core::NodeId number = 0;
  core::NodeId parent = 0;  // 0: written from nothing, or given
  core::NodeId same = 0;    // the node with the same source that stands for it
  int depth = 0;
  std::optional<double> speedup;  // over the run's seed; nothing: it has no time
  int visits = 0, pending = 0;    // of its subtree
  double value = 0, score = 0;
  core::NodeId best = 0;  // the fastest of its subtree; 0: none
  int since_best = 0;     // candidates of the subtree since then
  bool is_incumbent = false;
  std::string pruned;  // why its subtree is left; "": it is not
  std::vector<core::NodeId> children;
};

// Parents before their children, each with its subtree behind it.
std::vector<NodeView> view_of(const core::Tree& tree);

}  // namespace hone::search
