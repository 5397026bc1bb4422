#include "core/ceiling_distance.h"

#include <algorithm>

namespace hone::core {

std::optional<CeilingDistance> ceiling_distance(const Evaluation& evaluation) {
  std::optional<CeilingDistance> farthest;
  for (const auto& c : evaluation.cases)
    if (c.timed && c.ceiling_fraction && (!farthest || *c.ceiling_fraction < farthest->fraction))
      farthest = CeilingDistance{*c.ceiling_fraction, c.ceiling, c.name};
  return farthest;
}

namespace {

// Products of operands in fewer bits than the ceilings of single precision and of TF32 are measured with are faster:
// such a kernel is not held up by them.
bool faster_than(const std::string& ceiling, const Evaluation& evaluation) {
  if (ceiling != "f32" && ceiling != "tf32") return false;
  constexpr double least = 0.1;  // instructions, or the part of the time in a library's kernels
  return std::any_of(evaluation.metrics.begin(), evaluation.metrics.end(), [&](const Metric& metric) {
    if (!metric.tag.starts_with("precision.") || metric.value.value_or(0) < least) return false;
    const std::string type = metric.tag.substr(metric.tag.rfind('.') + 1);
    return type == "f16" || type == "bf16" || type == "f8" || type == "i8";
  });
}

}  // namespace

bool reached_ceiling(const Evaluation& evaluation, double fraction) {
  constexpr double beaten = 1.05;  // beyond the doubt about a ceiling
  bool timed = false;
  for (const auto& c : evaluation.cases) {
    if (!c.timed) continue;
    timed = true;
    const double reached = c.ceiling_fraction.value_or(0);
    if (reached < fraction || reached > beaten || faster_than(c.ceiling, evaluation)) return false;
  }
  return timed;
}

}  // namespace hone::core
