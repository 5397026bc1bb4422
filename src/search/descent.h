#pragma once
// The walk from the root of a search tree to the node that is expanded next. It goes only where
// something can be done now: nodes whose designer is being asked, say, are passed over. It leaves
// out what is pruned, refuted experiments and dead ends, until nothing else is left. One thread.
#include <optional>
#include <string>
#include <vector>

#include "search/expansions.h"
#include "search/search_tree.h"

namespace hone::search {

struct Place {
  core::NodeId number = 0;
  std::string why;  // "score 0.93 at 00005"
};

class Descent {
 public:
  Descent(const SearchTree& search, const Expansions& expansions);
  // Nothing: all that could be done waits for what is under way.
  std::optional<Place> walk() const;
  // To be called when something was begun.
  void update();

 private:
  bool can_expand(core::NodeId number) const;
  bool is_pruned(core::NodeId number) const;
  double waiting_score(core::NodeId number) const;
  int open(core::NodeId number, bool revives) const;
  bool stays(core::NodeId number, core::NodeId best_child) const;

  const SearchTree& search_;
  const Expansions& expansions_;
  std::vector<char> ready_;                  // by node: something can be done on it
  std::vector<int> open_, open_if_revived_;  // nodes of its subtree that are ready
};

// Why nothing is done in the subtree of a node, as a sentence; "": it is not pruned.
std::string why_pruned(const SearchTree& search, core::NodeId number);

}  // namespace hone::search
