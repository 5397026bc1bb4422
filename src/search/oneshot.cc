#include "search/oneshot.h"

#include <algorithm>

#include "search/generations.h"

namespace hone::search {

Decision OneShot::next(const core::Tree& tree, Capacity capacity) const {
  constexpr int seeds = 0, shots = 1;  // generations
  if (anything_pending(tree, seeds)) return {};
  if (!core::is_promoted_after(tree, seeds))
    if (auto promoted = promotion(tree, settings_, seeds)) return {{*std::move(promoted)}, "", ""};
  if (unanswered_lately(tree) >= std::max(1, settings_.width)) return {{}, "", no_answers};
  int last = 0;
  for (const auto& node : tree.nodes)
    last = std::max(last, node.place.generation == shots ? node.place.index : 0);
  Actions actions(tree, settings_, capacity);
  while (actions.may_write()) actions.write(from_nothing(core::Origin::one_shot, shots, ++last));
  if (!actions.empty()) return {actions.take(), "", ""};
  if (anything_pending(tree, shots) || actions.has_places()) return {};
  if (!core::is_promoted_after(tree, shots))
    if (auto promoted = promotion(tree, settings_, shots)) return {{*std::move(promoted)}, "", ""};
  return {{}, places_spent(settings_), ""};
}

core::NodeId OneShot::best(const core::Tree& tree) const { return best_of(tree, settings_); }

}  // namespace hone::search
