#include "cli/runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/evaluation_text.h"
#include "cli/table.h"
#include "store/candidates.h"
#include "store/comparisons.h"
#include "store/tuning.h"
#include "task/candidate_loader.h"

namespace hone::cli {
namespace {

using nlohmann::json;

struct RunLine {
  store::TuningRun run;
  std::size_t points = 0;
  std::optional<double> best, seed, seed_screened;  // seconds; the best's as it was certified
  core::Point best_point;
  std::optional<store::ComparisonRecord> compared;
  std::optional<double> ceiling_fraction;  // of the slowest timed case: the one with the most to gain
  std::string ceiling;
};

std::optional<core::Point> default_of(store::Archive& archive, const std::string& hash) {
  const auto record = store::get_candidate(archive, hash);
  const auto candidate = task::candidate_from(record.source, record.line.language, record.line.name);
  return candidate ? std::optional(core::default_point(candidate->plan)) : std::nullopt;
}

RunLine line_of(store::Archive& archive, store::TuningRun run) {
  RunLine line{.run = std::move(run)};
  const auto standard = default_of(archive, line.run.candidate);
  for (const auto& point : store::tuning_points(archive, line.run.id)) {
    ++line.points;
    if (standard && point.point == *standard) line.seed = line.seed_screened = point.geomean;
  }
  if (!line.run.winner_evaluation || !line.run.winner_candidate) return line;
  const auto winner = store::get_evaluation(archive, *line.run.winner_evaluation).evaluation;
  line.best = winner.geomean;
  line.best_point = winner.key.point;
  for (const auto& c : winner.cases)
    if (c.ceiling_fraction && (!line.ceiling_fraction || *c.ceiling_fraction < *line.ceiling_fraction)) {
      line.ceiling_fraction = c.ceiling_fraction;
      line.ceiling = c.ceiling;
    }
  constexpr int recent = 20;
  for (auto& record : store::comparisons_of(archive, *line.run.winner_candidate, recent))
    if (record.a.candidate == line.run.candidate && record.created >= line.run.created) {
      line.compared = std::move(record);
      break;
    }
  // What the seed takes where the best takes its certified time: a screening is of another hour.
  if (line.compared && line.best) line.seed = *line.best / line.compared->ratio;
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
  return {printable(line.run.task_name),
          printable(line.run.candidate_name),
          seconds(line.seed),
          seconds(line.best),
          compared ? format_ratio(1 / compared->ratio) : "-",
          compared ? fmt::format("{} to {}", format_ratio(1 / compared->interval.high),
                                 format_ratio(1 / compared->interval.low))
                   : "-",
          compared                     ? std::string(core::name_of(compared->word))
          : line.run.winner_evaluation ? "not compared"
                                       : "default stands",
          ceiling,
          std::to_string(line.points),
          std::string(store::name_of(line.run.state)),
          line.run.id,
          line.best_point.empty() ? "-" : format_point(line.best_point)};
}

json to_json(const RunLine& line) {
  const auto or_null = [](const auto& value) { return value ? json(*value) : json(nullptr); };
  json compared = nullptr;
  if (line.compared)
    compared = {{"word", core::name_of(line.compared->word)},
                {"ratio", line.compared->ratio},
                {"interval", {line.compared->interval.low, line.compared->interval.high}}};
  return {{"id", line.run.id},
          {"created", json_time(line.run.created)},
          {"task", line.run.task_name},
          {"candidate", line.run.candidate_name},
          {"device", line.run.device_name},
          {"state", store::name_of(line.run.state)},
          {"note", line.run.note},
          {"points", line.points},
          {"seed_s", or_null(line.seed)},
          {"seed_screened_s", or_null(line.seed_screened)},
          {"best_s", or_null(line.best)},
          {"best_point", line.best_point},
          {"compared", compared},
          {"ceiling_fraction", or_null(line.ceiling_fraction)},
          {"ceiling", line.ceiling}};
}

}  // namespace

void print_runs(store::Archive& archive, int limit, bool as_json, std::ostream& out, const Screen& screen) {
  std::vector<RunLine> lines;
  for (auto& run : store::list_tuning_runs(archive, limit)) lines.push_back(line_of(archive, std::move(run)));
  if (as_json) {
    json runs = json::array();
    for (const auto& line : lines) runs.push_back(to_json(line));
    out << json_text({{"runs", runs}});
    return;
  }
  if (lines.empty()) {
    out << "Nothing was tuned yet: `hone tune TASK CANDIDATE` does it.\n";
    return;
  }
  constexpr auto right = Column::Align::right;
  Table table({{"task"},
               {"candidate"},
               {"seed", right},
               {"best", right},
               {"times as fast", right},
               {"99 %", right},
               {"verdict"},
               {"of the measured ceiling"},
               {"points", right},
               {"state"},
               {"run"},
               {"best point"}});
  for (const auto& line : lines) table.add(row(line, screen));
  out << table.text(screen);
}

}  // namespace hone::cli
