#include "report/tuning.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/fields.h"
#include "base/words.h"
#include "run/names.h"
#include "text/format.h"
#include "text/markdown.h"

namespace hone::report {
namespace {

// 1: tuning did not change it.
double times_by_tuning(const core::Node& node) {
  return node.tuning && node.tuning->changed() && node.tuning->ratio > 0 ? 1 / node.tuning->ratio
                                                                         : 1;
}

std::string defaults_text(const core::Point& point) {
  std::string text;
  for (const auto& [name, value] : point)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  return text.empty() ? "as written" : text;
}

std::string totals_text(const TuningTotals& totals) {
  std::string text = fmt::format(
      "{} of at most {} measured for {}; {} new defaults.", base::counted(totals.points, "point"),
      totals.allowed, base::counted(totals.candidates, "candidate"),
      totals.changed == 0 ? "none got" : fmt::format("{} got", totals.changed));
  if (totals.most_times)
    text += fmt::format(" It did most for {}: {} as fast.", run::node_name(totals.most_for),
                        text::format_ratio(*totals.most_times));
  if (totals.best_by_tuning && totals.best_by_writing)
    text += fmt::format(" On the way from the seed to the best, writing brought {} and tuning {}.",
                        text::format_ratio(*totals.best_by_writing),
                        text::format_ratio(*totals.best_by_tuning));
  return text + "\n";
}

}  // namespace

std::vector<const core::Node*> tuned(const RunSummary& summary) {
  std::vector<const core::Node*> nodes;
  for (const core::Node& node : summary.tree.nodes)
    if (node.tuning && (node.tuning->points > 0 || node.tuning->changed())) nodes.push_back(&node);
  return nodes;
}

TuningTotals tuning_totals(const RunSummary& summary) {
  TuningTotals totals{.allowed = summary.settings.tune_evals};
  for (const core::Node* node : tuned(summary)) {
    totals.points += node->tuning->points;
    ++totals.candidates;
    if (!node->tuning->changed()) continue;
    ++totals.changed;
    const double times = times_by_tuning(*node);
    if (totals.most_times && times <= *totals.most_times) continue;
    totals.most_times = times;
    totals.most_for = node->number;
  }
  const auto times = times_as_fast(summary);
  if (!times) return totals;
  totals.best_by_tuning = 1;
  for (const core::Node* node : lineage(summary)) *totals.best_by_tuning *= times_by_tuning(*node);
  totals.best_by_writing = *times / *totals.best_by_tuning;
  return totals;
}

void describe(base::Fields& f, const TuningTotals& totals) {
  f("allowed", totals.allowed)("points", totals.points)("candidates", totals.candidates);
  f("changed", totals.changed)("most_times", totals.most_times);
  f("most_for", base::or_null(totals.most_for))("best_by_tuning", totals.best_by_tuning);
  f("best_by_writing", totals.best_by_writing);
}

std::string tuning_markdown(const RunSummary& summary) {
  const auto nodes = tuned(summary);
  if (nodes.empty()) return "";
  std::vector<std::vector<std::string>> rows;
  for (const core::Node* node : nodes) {
    const core::Tuning& tuning = *node->tuning;
    rows.push_back({run::node_name(node->number), std::to_string(tuning.points),
                    std::to_string(tuning.failed), text::format_seconds(tuning.before),
                    tuning.changed() ? text::format_seconds(tuning.after) : "-",
                    tuning.comparison.empty()
                        ? "-"
                        : fmt::format("{} (99 %: {} to {})", text::format_ratio(1 / tuning.ratio),
                                      text::format_ratio(1 / tuning.interval.high),
                                      text::format_ratio(1 / tuning.interval.low)),
                    text::markdown(defaults_text(tuning.point)), text::markdown(tuning.ended)});
  }
  return "## Tuning\n\n" + totals_text(tuning_totals(summary)) + "\n" +
         text::markdown_table({"node", "points", "failed", "as written", "tuned",
                               "times as fast, side by side", "defaults", "how it ended"},
                              rows);
}

}  // namespace hone::report
