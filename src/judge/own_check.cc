#include "judge/own_check.h"

#include <numeric>
#include <utility>

#include "core/stats.h"
#include "judge/finding.h"

namespace hone::judge {
namespace {

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double score_of(const std::string& rule, const std::vector<double>& means) {
  return rule == "last"   ? means.back()
         : rule == "mean" ? mean_of(means)
                          : core::geometric_mean(means);
}

// A note without a row of docs/trust.md.
void note(core::Evaluation& evaluation, Guard guard, std::string text) {
  Finding finding = label(guard, std::move(text));
  finding.row = 0;
  add(evaluation, finding);
}

}  // namespace

void note_own_check(const core::Task& task, core::Evaluation& evaluation) {
  if (!task.own_check || evaluation.outcome != core::Outcome::accepted) return;
  if (!task.own_check->unique)
    note(evaluation, Guard::tolerance,
         "this problem has no one right answer: its own check_implementation alone decided whether "
         "results are right");
  else if (!task.own_check->in_double)
    note(evaluation, Guard::precision,
         "the reference cannot be run in double precision: results were held against it as it is, "
         "and nothing is known of the precision that they were computed in");
  std::vector<double> means;
  for (const auto& which : task.cases)
    for (const auto& result : evaluation.cases)
      if (which.timed && result.name == which.name && !result.samples.empty())
        means.push_back(mean_of(result.samples));
  if (means.empty() || !evaluation.key.cases.empty())
    return;  // of some cases only, it would be another score
  const std::string& rule = task.own_check->ranking;
  add_metric(evaluation, task.own_check->name + ".score." + rule, "s", score_of(rule, means));
}

}  // namespace hone::judge
