#include "tables/speedups.h"

#include <fmt/format.h>

#include "judge/torch/baseline.h"
#include "tables/baselines.h"
#include "text/format.h"

namespace hone::tables {
namespace {

const core::Metric* metric_of(const core::Evaluation& evaluation, const std::string& tag) {
  for (const auto& metric : evaluation.metrics)
    if (metric.tag == tag) return &metric;
  return nullptr;
}

double value_of(const core::Evaluation& evaluation, const std::string& tag) {
  const auto* metric = metric_of(evaluation, tag);
  return metric != nullptr && metric->value ? *metric->value : 0;
}

}  // namespace

void add_speedups(const core::Task& task, const std::string& task_text,
                  const core::DeviceInfo& info, core::Evaluation& evaluation) {
  if (!task.reference_py || !evaluation.geomean ||
      metric_of(evaluation, "class.fp32.solved") == nullptr)
    return;
  const auto lines = read_baselines(home_baselines());
  const bool python = metric_of(evaluation, "clock.python_calls") != nullptr;
  for (const auto& name : judge::class_names) {
    const auto* line = find_baseline(lines, reference_hash(task), info.uuid, name);
    const auto best = line == nullptr ? std::nullopt : best_of(*line, python);
    std::string missing;
    if (!best)
      missing =
          line != nullptr && !line->failed.empty()
              ? "torch itself failed: " + line->failed
              : fmt::format(
                    "no baseline is recorded for {}; `hone baseline {} --device {}` makes one",
                    info.id, task_text, info.id);
    const auto add = [&](const char* what, const char* hint, std::optional<double> value) {
      evaluation.metrics.push_back(
          {fmt::format("class.{}.{}", name, what), hint, value, value ? "" : missing, "", {}, {}});
    };
    add("baseline", "s", best ? std::optional(best->seconds) : std::nullopt);
    add("speedup", "1", best ? std::optional(best->seconds / *evaluation.geomean) : std::nullopt);
    if (python)
      add("in_a_row", "1", best ? std::optional(best->batched ? 1.0 : 0.0) : std::nullopt);
    add("compiled", "1", best ? std::optional(best->mode == "compile" ? 1.0 : 0.0) : std::nullopt);
  }
}

std::string beside_torch(const core::Evaluation& evaluation, const std::string& problem,
                         const std::string& device, const std::vector<BaselineLine>& baselines) {
  if (!evaluation.geomean) return "";
  const bool python = metric_of(evaluation, "clock.python_calls") != nullptr;
  std::string out;
  for (const auto& name : judge::class_names) {
    if (value_of(evaluation, "class." + name + ".solved") <= 0) continue;
    std::optional<Best> best;
    for (const auto& line : baselines)  // a later line replaces an earlier one
      if (line.problem == problem && line.device == device && line.class_name == name)
        if (const auto found = best_of(line, python)) best = found;
    if (!best) continue;
    out += fmt::format("{}{}{} ({})", out.empty() ? "" : ", ",
                       text::format_ratio(best->seconds / *evaluation.geomean),
                       out.empty() ? " torch's best" : "", name);
  }
  return out;
}

}  // namespace hone::tables
