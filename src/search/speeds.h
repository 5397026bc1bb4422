#pragma once
// How fast the nodes of a run are, as logarithms of the speedup over its seed. A node that was
// compared side by side with another is placed by that ratio rather than by its own time, because
// times of different moments and machines compare less well. Pure functions.
#include <optional>
#include <vector>

#include "core/tree.h"

namespace hone::search {

struct Speeds {
  // By number, [0] is not used. log(seconds of the seed / seconds of the node); nothing: it has no
  // time.
  std::vector<std::optional<double>> log_speed;
  core::NodeId fastest = 0;  // 0: no node has a time

  const std::optional<double>& of(core::NodeId number) const {
    return log_speed[static_cast<std::size_t>(number)];
  }
  double best() const { return fastest == 0 ? 0 : *of(fastest); }
};

Speeds speeds_of(const core::Tree& tree);

// Percent of the time that is saved where the logarithm of the speed grows by this much.
double percent_saved(double log_gain);

}  // namespace hone::search
