#include "core/ceiling_distance.h"

namespace hone::core {

std::optional<CeilingDistance> ceiling_distance(const Evaluation& evaluation) {
  std::optional<CeilingDistance> farthest;
  for (const auto& c : evaluation.cases)
    if (c.timed && c.ceiling_fraction && (!farthest || *c.ceiling_fraction < farthest->fraction))
      farthest = CeilingDistance{*c.ceiling_fraction, c.ceiling, c.name};
  return farthest;
}

}  // namespace hone::core
