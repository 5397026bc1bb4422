#include "app/runs.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/inputs.h"
#include "base/json.h"
#include "core/ceiling_distance.h"
#include "report/summary_markdown.h"
#include "run/run_lock.h"
#include "run/tune.h"
#include "store/candidates.h"
#include "store/standing.h"
#include "store/tuning.h"
#include "task/candidate_loader.h"

namespace hone::app {
namespace {

std::optional<core::Point> default_of(store::Archive& archive, const std::string& hash) {
  const auto record = store::get_candidate(archive, hash);
  const auto candidate =
      task::candidate_from(record.source, record.line.language, record.line.name);
  return candidate ? std::optional(core::default_point(candidate->plan)) : std::nullopt;
}

void add_ceiling(RunLine& line, const core::Evaluation& evaluation) {
  if (const auto farthest = core::ceiling_distance(evaluation)) {
    line.ceiling_fraction = farthest->fraction;
    line.ceiling = farthest->ceiling;
  }
}

// One that failed, was killed or was interrupted says nothing about its default.
bool came_to_an_end(const store::TuningRun& run, const std::string& state) {
  return state == store::name_of(store::TuningState::finished) ||
         (state == store::name_of(store::TuningState::stopped) &&
          run.note != run::interrupted_note);
}

RunLine line_of(store::Archive& archive, const store::TuningRun& run) {
  RunLine line{.kind = "tuning",
               .id = run.id,
               .task = run.task_name,
               .device = run.device_name,
               .what = run.candidate_name,
               .state = run::told_state("tuning", run.id, store::name_of(run.state)),
               .note = run.note,
               .created = run.created};
  const auto standard = default_of(archive, run.candidate);
  bool accepted = false;
  for (const auto& point : store::tuning_points(archive, run.id)) {
    ++line.tried;
    accepted = accepted || point.outcome == core::Outcome::accepted;
    if (standard && point.point == *standard) line.seed = line.seed_screened = point.geomean;
  }
  line.otherwise = run.winner_evaluation              ? "not compared"
                   : !came_to_an_end(run, line.state) ? "not concluded"
                   : accepted                         ? "default stands"
                                                      : "nothing accepted";
  if (!run.winner_evaluation || !run.winner_candidate) return line;
  const auto winner = store::get_evaluation(archive, *run.winner_evaluation).evaluation;
  if (const auto refusal = store::refusal_of(archive, winner.key)) {
    line.otherwise = fmt::format("refused: {}", core::name_of(refusal->outcome));
    return line;
  }
  line.best = winner.geomean;
  line.best_point = winner.key.point;
  add_ceiling(line, winner);
  constexpr int recent = 20;
  for (auto& record : store::comparisons_of(archive, *run.winner_candidate, recent))
    if (record.a.candidate == run.candidate && record.created >= run.created) {
      line.compared = std::move(record);
      break;
    }
  // What the seed takes where the best takes its certified time: a screening is of another hour.
  if (line.compared && line.best) line.seed = *line.best / line.compared->ratio;
  return line;
}

RunLine line_of(const report::RunSummary& summary) {
  RunLine line{
      .kind = summary.digest ? "digest" : "research",
      .id = summary.run.id,
      .task = summary.run.task_name,
      .device = summary.run.device_name,
      .what = summary.settings.strategy,
      .state = run::told_state("research", summary.run.id, store::name_of(summary.run.state)),
      .note = summary.run.note,
      .created = summary.run.created,
      .tried = summary.records.size(),
      .compared = summary.compared,
      .usd = summary.spending.usd};
  if (!report::tuned(summary).empty()) line.tuning = report::tuning_totals(summary);
  if (const auto* seed = summary.tree.node(summary.seed))
    line.seed = line.seed_screened = report::seconds_of(summary, *seed);
  const auto* evaluation = report::best_evaluation(summary);
  line.otherwise = summary.digest          ? "-"
                   : evaluation == nullptr ? "nothing accepted"
                                           : "not compared";
  if (evaluation == nullptr) return line;
  line.best = evaluation->evaluation.geomean;
  line.best_point = evaluation->evaluation.key.point;
  add_ceiling(line, evaluation->evaluation);
  if (line.compared) line.seed = *line.best / line.compared->ratio;
  return line;
}

}  // namespace

RunsResult runs(const RunsRequest& request) {
  auto archive = archive_to_read(request);
  std::vector<RunLine> lines;
  for (const auto& run : store::list_tuning_runs(archive, request.limit))
    lines.push_back(line_of(archive, run));
  for (const auto& run : store::list_runs(archive, request.limit))
    lines.push_back(line_of(report::load_summary(archive, run.id)));
  std::stable_sort(lines.begin(), lines.end(),
                   [](const RunLine& a, const RunLine& b) { return a.created > b.created; });
  const auto limit = static_cast<std::size_t>(request.limit);
  if (lines.size() > limit) lines.resize(limit);
  return {std::move(lines)};
}

void describe(base::Fields& f, const RunLine& line) {
  const bool tuning = line.kind == "tuning";
  const auto compared = [&](base::Fields&) {
    f("word", line.compared->word)("ratio", base::finite_or_null(line.compared->ratio));
    f("interval", std::pair(base::finite_or_null(line.compared->interval.low),
                            base::finite_or_null(line.compared->interval.high)));
  };
  f("kind", line.kind)("id", line.id)("created", base::json_time(line.created))("task", line.task);
  f("device", line.device)("state", line.state)("note", line.note)("seed_s", line.seed);
  f("seed_screened_s", line.seed_screened)("best_s", line.best)("best_point", line.best_point);
  f("compared", line.compared ? &compared : nullptr)("ceiling_fraction", line.ceiling_fraction);
  f("ceiling", line.ceiling);
  const auto where = [](bool is_so, const auto& value) {
    return is_so ? std::optional(value) : std::nullopt;
  };
  f.sparse("candidate", where(tuning, line.what)).sparse("strategy", where(!tuning, line.what));
  f.sparse("points", where(tuning, line.tried)).sparse("members", where(!tuning, line.tried));
  f.sparse("usd", line.usd).sparse("tuning", line.tuning);
}

void describe(base::Fields& f, const RunsResult& result) { f("runs", result.runs); }

RunShown show_run(const ShowRunRequest& request) {
  auto archive = archive_to_read(request);
  if (request.run.starts_with('r') || request.run.starts_with('R'))
    return report::load_summary(archive, request.run);
  const auto run = store::get_tuning_run(archive, request.run);
  return TuningRunShown{line_of(archive, run), store::tuning_points(archive, run.id)};
}

void describe(base::Fields& f, const TuningRunShown& shown) {
  f.value(shown.line);
  f("evaluations", shown.points);
}

}  // namespace hone::app
