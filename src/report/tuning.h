#pragma once
// What tuning inside a run added beside what its models wrote. Pure functions of the summary.
#include <optional>
#include <string>
#include <vector>

#include "base/fields_fwd.h"
#include "report/summary.h"

namespace hone::report {

struct TuningTotals {
  int allowed = 0;                  // points, over the whole run
  int points = 0;                   // that were measured
  int candidates = 0, changed = 0;  // that were searched; of them with new defaults
  // How many times as fast tuning made the node for which it did most; nothing: it changed none.
  std::optional<double> most_times;
  core::NodeId most_for = 0;
  // On the way from the seed to the best: what tuning did, and what is left for writing. Products
  // over the lineage of what was measured side by side. Nothing: there is no best.
  std::optional<double> best_by_tuning, best_by_writing;
};
TuningTotals tuning_totals(const RunSummary& summary);
std::vector<const core::Node*> tuned(const RunSummary& summary);  // whose tables were searched
void describe(base::Fields& fields, const TuningTotals& totals);

std::string tuning_markdown(const RunSummary& summary);  // "": nothing was searched

}  // namespace hone::report
