#include "search/greedy.h"

#include "search/steady_state.h"

namespace hone::search {

using core::NodeId;
using core::Tree;

Decision Greedy::next(const Tree& tree, Capacity capacity) const {
  if (auto begun = beginning(tree, settings_, capacity)) return *std::move(begun);
  if (auto due = promotion_due(tree, settings_)) return only(*std::move(due));
  if (unanswered_lately(tree) >= settings_.tries) return {{}, "", no_answers};
  if (const auto why = reason_to_end(tree, settings_); !why.empty())
    return ending(tree, settings_, capacity, why);
  Expansions expansions(tree, settings_, capacity);
  add_first_attempts(tree, settings_, expansions);
  add_learner(tree, expansions);
  for (std::size_t i = 0; i < expansions.bases().size(); ++i) {
    const std::vector<NodeId> broken = expansions.bases()[i].broken;
    for (const NodeId failed : broken) expansions.repair(failed, "");
  }
  const NodeId incumbent = core::incumbent_of(tree)->number;
  while (expansions.expand(incumbent, "it is the incumbent")) {
  }
  if (!expansions.empty() || capacity.model <= 0) return {expansions.take(), "", ""};
  return ending(tree, settings_, capacity, "there is nothing left to try");
}

NodeId Greedy::best(const Tree& tree) const { return best_without_generations(tree, settings_); }

}  // namespace hone::search
