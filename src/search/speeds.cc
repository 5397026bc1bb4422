#include "search/speeds.h"

#include <cmath>

namespace hone::search {

Speeds speeds_of(const core::Tree& tree) {
  Speeds speeds;
  speeds.log_speed.resize(tree.nodes.size() + 1);
  const core::Node* seed = core::seed_of(tree);
  if (seed == nullptr) return speeds;
  for (const core::Node& node : tree.nodes) {
    if (!node.accepted()) continue;
    auto& placed = speeds.log_speed[static_cast<std::size_t>(node.number)];
    // A rival was there before its node, so it is placed already.
    const core::ComparedWith* compared = core::comparison_of(node, node.rival);
    if (compared != nullptr && compared->ratio > 0 && node.rival < node.number &&
        speeds.of(node.rival))
      placed = *speeds.of(node.rival) - std::log(compared->ratio);
    else
      placed = std::log(seed->seconds() / node.seconds());
    if (speeds.fastest == 0 || *placed > speeds.best()) speeds.fastest = node.number;
  }
  return speeds;
}

double percent_saved(double log_gain) { return 100 * (1 - std::exp(-log_gain)); }

}  // namespace hone::search
