#pragma once
// `hone runs`: what tuning, runs of models and digests have come to, newest first: where each run
// started, the best it found, how much faster that is and how sure, how far from the ceiling.
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/common_options.h"
#include "base/fields_fwd.h"
#include "report/summary.h"
#include "report/tuning.h"
#include "store/comparisons.h"
#include "store/evaluations.h"

namespace hone::app {

struct RunsRequest : CommonOptions {
  int limit = 20;
};

// A run of any kind, as a line of the list.
struct RunLine {
  std::string kind, id, task, device, what, state,
      note;  // what: the candidate that was tuned, or the strategy
  store::Time created{};
  std::size_t tried = 0;  // points or candidates
  std::optional<double> best, seed,
      seed_screened;  // seconds; the best's as it was certified, where it was
  core::Point best_point;
  std::optional<store::ComparisonRecord> compared;
  std::string otherwise;  // the verdict where nothing was compared
  std::optional<double>
      ceiling_fraction;  // of the slowest timed case: the one with the most to gain
  std::string ceiling;
  std::optional<double> usd;
  std::optional<report::TuningTotals> tuning;  // of a run of models in which candidates were tuned
};
struct RunsResult {
  std::vector<RunLine> runs;
};
RunsResult runs(const RunsRequest& request);
void describe(base::Fields& fields, const RunsResult& result);

struct ShowRunRequest : CommonOptions {
  std::string run;  // its id, or a prefix of it
};
struct TuningRunShown {
  RunLine line;
  std::vector<store::EvaluationLine> points;
};
using RunShown = std::variant<report::RunSummary, TuningRunShown>;
RunShown show_run(const ShowRunRequest& request);
void describe(base::Fields& fields, const TuningRunShown& shown);

}  // namespace hone::app
