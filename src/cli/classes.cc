// The classes of precision of one evaluation, beside the baselines: see cli/baseline.h.
#include <fmt/format.h>

#include "base/words.h"
#include "cli/baseline.h"
#include "judge/torch/baseline.h"
#include "tables/baselines.h"
#include "tables/scores.h"

namespace hone::cli {
using namespace text;
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

// What decides the class, in figures.
std::string figures(const core::Evaluation& evaluation, const std::string& name) {
  if (name == "protocol")
    return base::counted(static_cast<std::int64_t>(value_of(evaluation, "class.protocol.refused")), "element") +
           " off by more than 1e-4 of eager's";
  return fmt::format("error rms {:.1e}, max {:.1e}; eager's {:.1e}, {:.1e}", value_of(evaluation, "class.error.rms"),
                     value_of(evaluation, "class.error.max"), value_of(evaluation, "class." + name + ".eager.rms"),
                     value_of(evaluation, "class." + name + ".eager.max"));
}

}  // namespace

void add_speedups(const core::Task& task, const std::string& task_text, const core::DeviceInfo& info,
                  core::Evaluation& evaluation) {
  if (!task.reference_py || !evaluation.geomean || metric_of(evaluation, "class.fp32.solved") == nullptr) return;
  const auto lines = tables::read_baselines(tables::home_baselines());
  const bool python = metric_of(evaluation, "clock.python_calls") != nullptr;
  for (const auto& name : judge::class_names) {
    const auto* line = tables::find_baseline(lines, tables::reference_hash(task), info.uuid, name);
    const auto best = line == nullptr ? std::nullopt : tables::best_of(*line, python);
    std::string missing;
    if (!best)
      missing = line != nullptr && !line->failed.empty()
                    ? "torch itself failed: " + line->failed
                    : fmt::format("no baseline is recorded for {}; `hone baseline {} --device {}` makes one", info.id,
                                  task_text, info.id);
    const auto add = [&](const char* what, const char* hint, std::optional<double> value) {
      evaluation.metrics.push_back(
          {fmt::format("class.{}.{}", name, what), hint, value, value ? "" : missing, "", {}, {}});
    };
    add("baseline", "s", best ? std::optional(best->seconds) : std::nullopt);
    add("speedup", "1", best ? std::optional(best->seconds / *evaluation.geomean) : std::nullopt);
    if (python) add("in_a_row", "1", best ? std::optional(best->in_a_row ? 1.0 : 0.0) : std::nullopt);
    add("compiled", "1", best ? std::optional(best->mode == "compile" ? 1.0 : 0.0) : std::nullopt);
  }
}

std::string beside_torch(const core::Evaluation& evaluation, const std::string& problem, const std::string& device,
                         const std::vector<tables::BaselineLine>& baselines) {
  if (!evaluation.geomean) return "";
  const bool python = metric_of(evaluation, "clock.python_calls") != nullptr;
  std::string out;
  for (const auto& name : judge::class_names) {
    if (value_of(evaluation, "class." + name + ".solved") <= 0) continue;
    std::optional<tables::Best> best;
    for (const auto& line : baselines)  // a later line replaces an earlier one
      if (line.problem == problem && line.device == device && line.class_name == name)
        if (const auto found = tables::best_of(line, python)) best = found;
    if (!best) continue;
    out += fmt::format("{}{}{} ({})", out.empty() ? "" : ", ", format_ratio(best->seconds / *evaluation.geomean),
                       out.empty() ? " torch's best" : "", name);
  }
  return out;
}

std::string classes_text(const core::Evaluation& evaluation, const Screen& screen) {
  std::string out;
  std::string missing;
  const auto weak = tables::weak_of(evaluation);
  bool placed = false;
  for (const auto& name : judge::class_names) {
    const auto* solved = metric_of(evaluation, "class." + name + ".solved");
    if (solved == nullptr) continue;
    if (!solved->value) {
      out += fmt::format("class {}: {}\n", name, printable(solved->missing));
      continue;
    }
    placed = true;
    const bool yes = *solved->value > 0;
    // Never counted silently: the problem itself lets through what computes nothing.
    const std::string doubt =
        yes && !weak.empty() ? fmt::format(" on a weak problem, where {} KernelBench's check", printable(weak.front()))
                             : "";
    std::string against;
    if (const auto* speedup = metric_of(evaluation, "class." + name + ".speedup"); speedup != nullptr) {
      if (speedup->value)
        against = fmt::format("; {} of torch's best there ({}{}, {})", format_ratio(*speedup->value),
                              value_of(evaluation, "class." + name + ".compiled") > 0 ? "compiled" : "eager",
                              value_of(evaluation, "class." + name + ".in_a_row") > 0 ? ", calls in a row" : "",
                              format_seconds(value_of(evaluation, "class." + name + ".baseline")));
      else
        missing = speedup->missing;
    }
    const auto* ceiling = metric_of(evaluation, "class." + name + ".ceiling");
    if (yes && ceiling != nullptr && ceiling->value)
      against += fmt::format("; {} of the ceiling", format_percent(*ceiling->value));
    out += fmt::format("class {}: {}{} ({}){}\n", name,
                       paint(yes ? "solved" : "not solved",
                             yes ? doubt.empty() ? Colour::good : Colour::doubtful : Colour::bad, screen),
                       doubt, figures(evaluation, name), against);
  }
  if (placed) {
    const auto share = tables::metric_value(evaluation, "share.own_kernels");
    out += fmt::format("precision used: {}; {} of the device's time in kernels of its own\n",
                       tables::precision_used(evaluation), share ? format_percent(*share) : "an unknown share");
  }
  if (!missing.empty()) out += printable(missing) + "\n";
  return out;
}

}  // namespace hone::cli
