#include "cli/runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/log.h"
#include "core/ceiling_distance.h"
#include "core/json.h"
#include "core/or_null.h"
#include "report/story.h"
#include "report/story_markdown.h"
#include "run/run_lock.h"
#include "run/tune.h"
#include "store/candidates.h"
#include "store/comparisons.h"
#include "store/standing.h"
#include "store/tuning.h"
#include "task/candidate_loader.h"
#include "text/evaluation_text.h"
#include "text/table.h"

namespace hone::cli {
using namespace text;
namespace {

using cli::to_json;  // beside those below
using nlohmann::json;

// A run of either kind, as a line of the list.
struct RunLine {
  std::string kind, id, task, device, what, state, note;  // what: the candidate that was tuned, or the strategy
  store::Time created{};
  std::size_t tried = 0;                            // points or members
  std::optional<double> best, seed, seed_screened;  // seconds; the best's as it was certified, where it was
  core::Point best_point;
  std::optional<store::ComparisonRecord> compared;
  std::string otherwise;                   // the verdict where nothing was compared
  std::optional<double> ceiling_fraction;  // of the slowest timed case: the one with the most to gain
  std::string ceiling;
  std::optional<double> usd;
};

std::optional<core::Point> default_of(store::Archive& archive, const std::string& hash) {
  const auto record = store::get_candidate(archive, hash);
  const auto candidate = task::candidate_from(record.source, record.line.language, record.line.name);
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
         (state == store::name_of(store::TuningState::stopped) && run.note != run::interrupted_note);
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

RunLine line_of(const report::Story& story) {
  const bool digest = story.strategy == "learn";
  RunLine line{.kind = digest ? "digest" : "research",
               .id = story.run.id,
               .task = story.run.task_name,
               .device = story.run.device_name,
               .what = story.strategy,
               .state = run::told_state("research", story.run.id, store::name_of(story.run.state)),
               .note = story.run.note,
               .created = story.run.created,
               .tried = story.members.size(),
               .compared = story.compared,
               .usd = story.spending.usd};
  if (const auto* seed = story.seed_member()) line.seed = line.seed_screened = seed->seconds();
  const auto* evaluation = report::best_evaluation(story);
  line.otherwise = digest ? "-" : evaluation == nullptr ? "nothing accepted" : "not compared";
  if (evaluation == nullptr) return line;
  line.best = evaluation->evaluation.geomean;
  line.best_point = evaluation->evaluation.key.point;
  add_ceiling(line, evaluation->evaluation);
  if (line.compared) line.seed = *line.best / line.compared->ratio;
  return line;
}

std::vector<std::string> row(const RunLine& line, const Screen& screen) {
  const auto& compared = line.compared;
  const auto seconds = [](const std::optional<double>& value) {
    return value ? format_seconds(*value) : std::string("-");
  };
  constexpr int bar_width = 12;
  std::string ceiling = "-";
  if (line.ceiling_fraction) {
    ceiling = fmt::format("{} of {}", format_percent(*line.ceiling_fraction), printable(line.ceiling));
    if (screen.width > 0) ceiling = format_bar(*line.ceiling_fraction, bar_width) + " " + ceiling;
  }
  return {line.id,
          line.kind,
          printable(line.task),
          printable(line.what),
          seconds(line.seed),
          seconds(line.best),
          compared ? format_ratio(1 / compared->ratio) : "-",
          compared ? fmt::format("{} to {}", format_ratio(1 / compared->interval.high),
                                 format_ratio(1 / compared->interval.low))
                   : "-",
          compared ? std::string(core::name_of(compared->word)) : line.otherwise,
          ceiling,
          std::to_string(line.tried),
          line.state,
          line.usd ? report::format_usd(*line.usd) : "-",
          printable(line.device),
          line.best_point.empty() ? "-" : format_point(line.best_point)};
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

void print_runs(store::Archive& archive, int limit, bool as_json, std::ostream& out, const Screen& screen) {
  std::vector<RunLine> lines;
  for (const auto& run : store::list_tuning_runs(archive, limit)) lines.push_back(line_of(archive, run));
  for (const auto& run : store::list_runs(archive, limit))
    lines.push_back(line_of(report::load_story(archive, run.id)));
  std::stable_sort(lines.begin(), lines.end(),
                   [](const RunLine& a, const RunLine& b) { return a.created > b.created; });
  if (lines.size() > static_cast<std::size_t>(limit)) lines.resize(static_cast<std::size_t>(limit));
  if (as_json) {
    json runs = json::array();
    for (const auto& line : lines) runs.push_back(to_json(line));
    out << core::json_text({{"runs", runs}});
    return;
  }
  if (lines.empty()) {
    out << "There was no run yet: `hone run TASK` begins one, and `hone tune TASK CANDIDATE` tunes without a model.\n";
    return;
  }
  constexpr auto left = Column::Align::left, right = Column::Align::right;
  Table table({{"run"},
               {"kind", left, 8},
               {"task"},
               {"of", left, 7},
               {"seed", right, 6},
               {"best", right},
               {"times as fast", right},
               {"99 %", right, 3},
               {"verdict", left, 5},
               {"of the ceiling", left, 2},
               {"tried", right, 4},
               {"state", left},
               {"dollars", right, 1},
               {"device", left, 9},
               {"best point", left, 10}});
  for (const auto& line : lines) table.add(row(line, screen));
  out << table.text(screen);
}

void print_tuning_run(store::Archive& archive, const std::string& id, bool as_json, std::ostream& out,
                      const Screen& screen) {
  const auto run = store::get_tuning_run(archive, id);
  const RunLine line = line_of(archive, run);
  const auto points = store::tuning_points(archive, run.id);
  if (as_json) {
    json answer = to_json(line);
    answer["evaluations"] = json::array();
    for (const auto& point : points) answer["evaluations"].push_back(to_json(point));
    out << core::json_text(answer);
    return;
  }
  Table facts({{""}, {""}, {""}});
  const auto add = [&](const char* name, const std::string& value) { facts.add({"", name, value}); };
  add("task", printable(line.task));
  add("candidate", printable(line.what));
  add("device", printable(line.device));
  add("begun", format_time(line.created));
  add("state", line.note.empty() ? line.state : fmt::format("{}: {}", line.state, printable(line.note)));
  add("best",
      line.best ? fmt::format("{} at {}", format_seconds(*line.best), format_point(line.best_point)) : line.otherwise);
  out << paint("tuning run " + line.id, Colour::strong, screen) << "\n"
      << facts.text() << "\n"
      << evaluation_table(points, screen);
}

}  // namespace hone::cli
