#include "judge/precision/bounds.h"

#include <algorithm>

namespace hone::judge {
namespace {

// TF32 widens a bound at most to this: where torch with TF32 is less accurate still, its error is
// no measure of what a good kernel computes.
constexpr double most_rms = 0.02, most_max = 0.25;

}  // namespace

Bounds bounds_for(const core::Output& output, double honest_rms, const ErrorPair& tf32) {
  Bounds bounds{output.tolerance.max, output.tolerance.rms, precision_factor * honest_rms};
  if (honest_rms <= 0)
    return bounds;  // TF32 does not widen exact outputs or outputs in double precision
  const double max = std::min(most_max, tf32_max_factor * tf32.max);
  const double rms = std::min(most_rms, tf32_rms_factor * tf32.rms);
  bounds.max_by_tf32 = max > bounds.max;
  bounds.rms_by_tf32 = rms > bounds.rms;
  bounds.narrow_by_tf32 = rms > bounds.narrow;
  bounds.max = std::max(bounds.max, max);
  bounds.rms = std::max(bounds.rms, rms);
  bounds.narrow = std::max(bounds.narrow, rms);
  return bounds;
}

}  // namespace hone::judge
