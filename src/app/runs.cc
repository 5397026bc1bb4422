#include "app/runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/inputs.h"
#include "core/ceiling_distance.h"
#include "core/json.h"
#include "core/or_null.h"
#include "report/summary_markdown.h"
#include "run/run_lock.h"
#include "run/tune.h"
#include "store/candidates.h"
#include "store/list_json.h"
#include "store/standing.h"
#include "store/tuning.h"
#include "task/candidate_loader.h"

namespace hone::app {
namespace {

using nlohmann::json;

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

json to_json(const RunLine& line) {
  json compared = nullptr;
  if (line.compared)
    compared = {{"word", core::name_of(line.compared->word)},
                {"ratio", line.compared->ratio},
                {"interval", {line.compared->interval.low, line.compared->interval.high}}};
  json answer = {{"kind", line.kind},
                 {"id", line.id},
                 {"created", core::json_time(line.created)},
                 {"task", line.task},
                 {"device", line.device},
                 {"state", line.state},
                 {"note", line.note},
                 {"seed_s", core::or_null(line.seed)},
                 {"seed_screened_s", core::or_null(line.seed_screened)},
                 {"best_s", core::or_null(line.best)},
                 {"best_point", line.best_point},
                 {"compared", compared},
                 {"ceiling_fraction", core::or_null(line.ceiling_fraction)},
                 {"ceiling", line.ceiling}};
  const bool tuning = line.kind == "tuning";
  answer[tuning ? "candidate" : "strategy"] = line.what;
  answer[tuning ? "points" : "members"] = line.tried;
  if (line.usd) answer["usd"] = *line.usd;
  return answer;
}

}  // namespace

std::vector<RunLine> runs(const RunsRequest& request) {
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
  return lines;
}

json to_json(const std::vector<RunLine>& lines) {
  json list = json::array();
  for (const auto& line : lines) list.push_back(to_json(line));
  return {{"runs", list}};
}

RunShown show_run(const ShowRunRequest& request) {
  auto archive = archive_to_read(request);
  if (request.run.starts_with('r') || request.run.starts_with('R'))
    return report::load_summary(archive, request.run);
  const auto run = store::get_tuning_run(archive, request.run);
  return TuningRunShown{line_of(archive, run), store::tuning_points(archive, run.id)};
}

json to_json(const RunShown& shown) {
  if (const auto* summary = std::get_if<report::RunSummary>(&shown))
    return report::summary_json(*summary, nullptr);
  const auto& tuning = std::get<TuningRunShown>(shown);
  json answer = to_json(tuning.line);
  answer["evaluations"] = json::array();
  for (const auto& point : tuning.points) answer["evaluations"].push_back(store::to_json(point));
  return answer;
}

}  // namespace hone::app
