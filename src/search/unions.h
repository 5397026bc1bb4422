#pragma once
// Which nodes of a run can be united: two whose gains lie in different places. Places are timed
// cases, or else the changes of two experiments that were designed on the same node: ones that rest
// on different advice, or different experiments of one design. Pure functions.
#include <optional>
#include <string>
#include <vector>

#include "search/bases.h"
#include "search/search_tree.h"

namespace hone::search {

struct Union {
  core::NodeId reference = 0;
  std::string places;  // where the gains lie, as a sentence for the writer
  double gain = 0;     // percent of the basis's time that is hoped for
};

// What a node would best be united with, if it was not tried: the slower of the two is the
// reference. `bases` by number.
std::optional<Union> union_for(const core::Tree& tree, const SearchTree& search,
                               const std::vector<Basis>& bases, core::NodeId basis);

}  // namespace hone::search
