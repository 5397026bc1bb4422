#include "core/verdict.h"

#include <algorithm>

namespace hone::core {
namespace {

constexpr std::size_t longest_reason = 600;

// Products of operands in fewer bits than the ceilings of single precision and of TF32 are measured
// with are faster: such a kernel is not held up by them.
bool on_other_units(const std::string& ceiling, const Evaluation& evaluation) {
  if (ceiling != "f32" && ceiling != "tf32") return false;
  constexpr double least = 0.1;  // instructions, or the part of the time in a library's kernels
  return std::any_of(
      evaluation.metrics.begin(), evaluation.metrics.end(), [&](const Metric& metric) {
        if (!metric.tag.starts_with("precision.") || metric.value.value_or(0) < least) return false;
        const std::string type = metric.tag.substr(metric.tag.rfind('.') + 1);
        return type == "f16" || type == "bf16" || type == "f8" || type == "i8";
      });
}

}  // namespace

Verdict verdict_of(const Evaluation& evaluation, const std::string& id) {
  Verdict verdict{.evaluation = id, .outcome = evaluation.outcome, .geomean = evaluation.geomean};
  for (const auto& c : evaluation.cases)
    verdict.cases.push_back({c.name, c.timed, c.median, c.interval, c.error_max, c.error_rms,
                             c.ceiling_fraction, c.ceiling, on_other_units(c.ceiling, evaluation)});
  constexpr std::string_view prefix = "class.", suffix = ".solved";
  for (const auto& metric : evaluation.metrics)
    if (metric.tag.starts_with(prefix) && metric.tag.ends_with(suffix) &&
        metric.value.value_or(0) > 0)
      verdict.classes.push_back(
          metric.tag.substr(prefix.size(), metric.tag.size() - prefix.size() - suffix.size()));
  for (const auto& evidence : evaluation.evidence)
    if (evidence.convicts) {
      verdict.guard = evidence.guard;
      verdict.reason = evidence.text.substr(0, longest_reason);
      break;
    }
  return verdict;
}

bool reached_ceiling(const Verdict& verdict, double fraction) {
  constexpr double beaten = 1.05;  // beyond the doubt about a ceiling
  bool timed = false;
  for (const auto& c : verdict.cases) {
    if (!c.timed) continue;
    timed = true;
    const double reached = c.ceiling_fraction.value_or(0);
    if (reached < fraction || reached > beaten || c.other_units) return false;
  }
  return timed;
}

}  // namespace hone::core
