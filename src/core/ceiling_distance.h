#pragma once
// How far an evaluation is from the ceilings that were measured on its device. Pure functions.
#include <optional>
#include <string>

#include "core/evaluation.h"

namespace hone::core {

// Of the timed case that is farthest from its ceiling.
struct CeilingDistance {
  double fraction = 0;
  std::string ceiling, case_name;
};
std::optional<CeilingDistance> ceiling_distance(const Evaluation& evaluation);
// Whether every timed case has reached that fraction of its ceiling. A case that beats its ceiling does not count as
// having reached it: its arithmetic runs on units that the ceiling was not measured with (single precision by products
// of parts on tensor cores), and there may be more to gain.
bool reached_ceiling(const Evaluation& evaluation, double fraction);

}  // namespace hone::core
