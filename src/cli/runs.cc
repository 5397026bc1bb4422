// `hone runs`: see app/runs.h.
#include "app/runs.h"
#include "app/run.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <thread>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/research_runs.h"
#include "cli/run_view.h"
#include "cli/streams.h"
#include "report/summary_markdown.h"
#include "text/evaluation_table.h"
#include "text/evaluation_text.h"
#include "text/table.h"

namespace hone::cli {
using namespace text;
namespace {

using app::RunLine;

std::vector<std::string> row(const RunLine& line, const Screen& screen) {
  const auto& compared = line.compared;
  const auto seconds = [](const std::optional<double>& value) {
    return value ? format_seconds(*value) : std::string("-");
  };
  constexpr int bar_width = 12;
  std::string ceiling = "-";
  if (line.ceiling_fraction) {
    ceiling =
        fmt::format("{} of {}", format_percent(*line.ceiling_fraction), printable(line.ceiling));
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

}  // namespace

std::string runs_text(const std::vector<RunLine>& lines, const Screen& screen) {
  if (lines.empty())
    return "There was no run yet: `hone run TASK` begins one, and `hone tune TASK CANDIDATE` tunes "
           "without a model.\n";
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
  return table.text(screen);
}

std::string tuning_run_text(const app::TuningRunShown& shown, const Screen& screen) {
  const RunLine& line = shown.line;
  Table facts({{""}, {""}, {""}});
  const auto add = [&](const char* name, const std::string& value) {
    facts.add({"", name, value});
  };
  add("task", printable(line.task));
  add("candidate", printable(line.what));
  add("device", printable(line.device));
  add("begun", format_time(line.created));
  add("state",
      line.note.empty() ? line.state : fmt::format("{}: {}", line.state, printable(line.note)));
  add("best",
      line.best ? fmt::format("{} at {}", format_seconds(*line.best), format_point(line.best_point))
                : line.otherwise);
  return paint("tuning run " + line.id, Colour::strong, screen) + "\n" + facts.text() + "\n" +
         evaluation_table(shown.points, screen);
}

namespace {

// A run at work in another process, until it is not at work any more. For programs a line of JSON
// for each change.
void follow(const RunsCommand& command) {
  constexpr auto look_again = std::chrono::milliseconds(300);
  LiveView view(command.json);
  std::string last;
  while (!view.cancelled()) {
    const auto progress = app::run_progress(command, command.run);
    const std::string line = base::json_line(progress);
    if (command.json && line != last) fmt::print("{}\n", last = line);
    std::fflush(stdout);
    view.show(progress.status);
    if (progress.state != store::name_of(store::RunState::running)) return;
    std::this_thread::sleep_for(look_again);
  }
}

}  // namespace

int runs(const RunsCommand& command) {
  if (command.follow) {
    if (command.run.empty()) base::fail(base::ExitCode::usage, "--follow: say which run");
    follow(command);
    if (command.json) return 0;
  }
  const Screen screen = screen_of(stdout);
  std::string text;
  if (command.run.empty()) {
    const auto lines = app::runs({command, command.limit});
    text = command.json ? base::json_text(lines) : runs_text(lines.runs, screen);
  } else {
    const auto shown = app::show_run({command, command.run});
    if (command.json)
      text = base::json_text(shown);
    else if (const auto* summary = std::get_if<report::RunSummary>(&shown))
      text = research_run_text(*summary, screen);
    else
      text = tuning_run_text(std::get<app::TuningRunShown>(shown), screen);
  }
  put(text);
  return 0;
}

}  // namespace hone::cli
