#include "judge/bounds.h"

#include <algorithm>

namespace hone::judge {
namespace {

// Where torch with TF32 is further off than this, its error says nothing about anybody: it does not widen more.
constexpr double most_rms = 0.02, most_max = 0.25;

}  // namespace

Bounds bounds_for(const core::Output& output, double honest_rms, const ErrorPair& tf32) {
  Bounds bounds{output.tolerance.max, output.tolerance.rms, precision_factor * honest_rms};
  if (honest_rms <= 0) return bounds;  // exact outputs, and those in double precision, stay what they are
  const auto widen = [](double& bound, bool& by_tf32, double by) {
    by_tf32 = by > bound;
    bound = std::max(bound, by);
  };
  widen(bounds.max, bounds.max_by_tf32, std::min(most_max, tf32_max_factor * tf32.max));
  const double rms = std::min(most_rms, tf32_rms_factor * tf32.rms);
  widen(bounds.rms, bounds.rms_by_tf32, rms);
  widen(bounds.narrow, bounds.narrow_by_tf32, rms);
  return bounds;
}

}  // namespace hone::judge
