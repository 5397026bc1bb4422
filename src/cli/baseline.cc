// `hone baseline`: see app/baseline.h.
#include "app/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "base/json.h"
#include "base/words.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "tables/baseline_table.h"

namespace hone::cli {

int baseline(const Typed<app::BaselineRequest>& command) {
  Progress progress(command.json);
  const auto print_lines = [&](const std::vector<tables::BaselineLine>& lines) {
    if (!command.json) return;
    for (const auto& line : lines) fmt::print("{}\n", base::json_line(line));
    std::fflush(stdout);
  };
  const auto result = app::baseline(command, progress, print_lines);
  if (!command.json)
    fmt::print("{}", tables::baselines_text(result.lines, text::screen_of(stdout)));
  if (!result.complete) {
    fmt::print(stderr, "the time given was up after {}: the same command goes on\n",
               base::counted(static_cast<std::int64_t>(result.problems), "problem"));
    return static_cast<int>(base::ExitCode::unfinished);
  }
  const bool all = std::all_of(result.lines.begin(), result.lines.end(),
                               [](const auto& line) { return line.failed.empty(); });
  return static_cast<int>(all ? base::ExitCode::ok : base::ExitCode::not_accepted);
}

}  // namespace hone::cli
