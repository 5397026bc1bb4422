#include "tables/scores.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/stats.h"
#include "judge/precision/placing.h"

namespace hone::tables {

std::optional<double> metric_value(const core::Evaluation& evaluation, const std::string& tag) {
  for (const auto& metric : evaluation.metrics)
    if (metric.tag == tag) return metric.value;
  return std::nullopt;
}

std::string precision_used(const core::Evaluation& evaluation) {
  const auto yes = [&](const char* name) {
    return metric_value(evaluation, fmt::format("class.{}.solved", name)).value_or(0) > 0;
  };
  std::string text = yes("fp32") ? "errors as in fp32" : yes("tf32") ? "errors as in TF32" : "errors beyond eager's";
  // The types behind the tags that begin so and have a value.
  const auto types = [&](const std::string& tag) {
    std::string list;
    for (const auto& metric : evaluation.metrics)
      if (metric.tag.starts_with(tag + ".") && metric.value.value_or(0) > 0)
        list += (list.empty() ? "" : ", ") + metric.tag.substr(tag.size() + 1);
    return list;
  };
  const std::string instructions = "precision.tensor_instructions";
  if (const auto seen = types(instructions); !seen.empty())
    text += "; tensor cores: " + seen;
  else if (metric_value(evaluation, instructions))
    text += "; no tensor cores";
  if (const auto named = types("precision.named_kernels"); !named.empty()) text += "; kernels named " + named;
  return text;
}

std::vector<std::string> weak_of(const core::Evaluation& evaluation) {
  std::vector<std::string> sentences;
  for (const auto& evidence : evaluation.evidence)
    if (evidence.guard == "weak" && evidence.text.ends_with(judge::own_check))
      sentences.push_back(evidence.text.substr(0, evidence.text.size() - judge::own_check.size()));
  return sentences;
}

void note_tried(const core::Evaluation& evaluation, Score& score) {
  score.tried = true;
  if (score.weak.empty()) score.weak = weak_of(evaluation);
}

void take(const core::Evaluation& evaluation, const std::string& candidate, Score& score) {
  const auto value = [&](const char* what) {
    return metric_value(evaluation, fmt::format("class.{}.{}", score.class_name, what));
  };
  note_tried(evaluation, score);
  if (evaluation.outcome != core::Outcome::accepted || !evaluation.geomean || value("solved").value_or(0) <= 0) return;
  if (score.seconds && *score.seconds <= *evaluation.geomean) return;
  score.solved = true;
  score.seconds = evaluation.geomean;
  score.candidate = candidate;
  score.hash = evaluation.key.candidate;
  score.point = evaluation.key.point;
  score.python = metric_value(evaluation, "clock.python_calls").has_value();
  score.device = evaluation.key.device;
  score.ceiling_fraction = value("ceiling");
  score.precision = precision_used(evaluation);
  score.own_share = metric_value(evaluation, "share.own_kernels");
  score.error_rms = metric_value(evaluation, "class.error.rms");
  score.eager_rms = value("eager.rms");
}

std::optional<double> Score::speedup() const {
  if (!solved || !seconds || !baseline || *seconds <= 0) return std::nullopt;
  return *baseline / *seconds;
}

Summary summarise(const std::vector<Score>& scores, const std::string& class_name, bool with_weak) {
  Summary summary;
  std::vector<double> all, solved;
  for (const auto& score : scores) {
    if (score.class_name != class_name || (!with_weak && !score.weak.empty())) continue;
    if (score.solved) {
      ++summary.solved;
      summary.weak += score.weak.empty() ? 0 : 1;
    }
    const auto speedup = score.speedup();
    if (score.solved && !speedup) {
      ++summary.without_baseline;
      continue;
    }
    all.push_back(speedup.value_or(1));
    if (speedup) solved.push_back(*speedup);
  }
  summary.problems = all.size();
  if (all.empty()) return summary;
  const auto part = [&](double p) {
    return static_cast<double>(std::count_if(solved.begin(), solved.end(), [&](double one) { return one > p; })) /
           static_cast<double>(all.size());
  };
  summary.fast_1 = part(1);
  summary.fast_1_5 = part(1.5);
  summary.fast_2 = part(2);
  summary.geomean_all = core::geometric_mean(all);
  summary.median_all = core::median(all);
  if (!solved.empty()) {
    summary.geomean_solved = core::geometric_mean(solved);
    summary.median_solved = core::median(solved);
  }
  return summary;
}

}  // namespace hone::tables
