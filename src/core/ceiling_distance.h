#pragma once
// How far an evaluation is from the ceilings that were measured on its device: what is left to gain
// there without another algorithm. Pure functions.
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

}  // namespace hone::core
