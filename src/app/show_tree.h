#pragma once
// `hone show RUN --tree` and `--why NODE`: a run's tree with what the search knows of each node,
// and the answer to why one of them was made and what came of it.
#include <optional>
#include <string>
#include <vector>

#include "base/fields_fwd.h"
#include "core/tree.h"
#include "search/tree_view.h"
#include "store/archive.h"

namespace hone::app {

struct ShownNode {
  search::NodeView view;
  std::string outcome;  // "accepted", "wrong", "being written"
  std::optional<double> seconds;
  std::string experiment;  // its description; "": none made it
  std::string why;         // the strategy's reason
};
struct ShownTree {
  std::string run;
  std::vector<ShownNode> nodes;  // a parent before its children
};
ShownTree shown_tree(store::Archive& archive, const std::string& run_or_prefix);

struct ShownReason {
  std::string run;
  ShownNode node;
  std::vector<std::string> sentences;
};
// `node` as a person writes it: 12 or 00012.
ShownReason shown_reason(store::Archive& archive, const std::string& run_or_prefix,
                         const std::string& node);
// Pure: what is to be said of a node.
std::vector<std::string> reasons_of(const core::Tree& tree, const ShownNode& shown);

void describe(base::Fields& fields, const ShownTree& tree);
void describe(base::Fields& fields, const ShownReason& reason);

}  // namespace hone::app
