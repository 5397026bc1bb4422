// What of a summary goes into its chart: see report/summary_markdown.h.
#include <fmt/format.h>

#include "report/summary_markdown.h"
#include "run/names.h"
#include "text/format.h"
#include "text/table.h"

namespace hone::report {
using namespace text;

Chart summary_chart(const RunSummary& summary, const RunSummary* beside) {
  Chart chart;
  chart.title = fmt::format("{} on {}: time of each candidate, and the best so far",
                            summary.run.task_name, summary.run.device_name);
  chart.time_text = format_seconds;
  if (const core::Node* seed = summary.tree.node(summary.seed))
    chart.seed = seconds_of(summary, *seed);
  for (const RunSummary* each : {&summary, beside}) {
    if (each == nullptr) continue;
    auto& series = chart.series.emplace_back();
    const std::string& strategy = each->settings.strategy;
    series.name = fmt::format("{} ({})", strategy.empty() ? "run" : strategy, each->run.id);
    for (const core::Node* node : written(*each)) {
      const auto* record = verdict_on(*each, *node);
      if (record == nullptr) continue;  // never judged
      const std::string outcome(core::name_of(record->evaluation.outcome));
      const auto* experiment = experiment_of(*each, *node);
      const std::string what =
          experiment != nullptr ? experiment->description : run::name_of_place(node->place);
      constexpr std::size_t shown = 120;
      const auto seconds = seconds_of(*each, *node);
      series.points.push_back(
          {seconds, outcome,
           fmt::format("{} {}: {}", run::node_name(node->number),
                       seconds ? format_seconds(*seconds) : outcome, cut(printable(what), shown)),
           is_certified(*each, *node)});
    }
  }
  return chart;
}

}  // namespace hone::report
