#pragma once
// The walk from the root of a search tree to the node that is expanded next. It goes only where
// something can be done now: nodes whose designer is being asked, say, are passed over. One thread.
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
  // Something was begun on this node.
  void update(core::NodeId number);

 private:
  bool can_expand(core::NodeId number) const;
  std::optional<Place> here(core::NodeId number, const std::string& revived) const;

  const SearchTree& search_;
  const Expansions& expansions_;
  std::vector<bool> ready_;       // by node: something can be done on it
  std::vector<int> ready_below_;  // nodes of its subtree that are ready
};

}  // namespace hone::search
