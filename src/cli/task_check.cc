// `hone task check`: see app/task_check.h and app/weak_problems.h.
#include "app/task_check.h"

#include <fmt/format.h>

#include <cstdio>

#include "app/weak_problems.h"
#include "base/error.h"
#include "base/words.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/streams.h"
#include "tables/problems.h"
#include "task/candidate_loader.h"
#include "text/admission_text.h"
#include "text/table.h"

namespace hone::cli {
using namespace text;
namespace {

using base::ExitCode;

std::string counted(const auto& things, std::string_view singular) {
  return base::counted(static_cast<std::int64_t>(things.size()), singular);
}

void print_checked_task(const app::TaskCheckResult& result) {
  const core::Task& task = result.task;
  if (!result.malformed.empty())
    std::fprintf(stderr, "%s\n%s to fix\n",
                 printable_lines(task::render_with_sources(result.malformed)).c_str(),
                 counted(result.malformed, "mistake").c_str());
  else if (task.external)
    fmt::print(
        "{} is well formed ({}, {}); it is external, so only its own evaluator can say whether "
        "candidates are right\n",
        printable(task.name), counted(task.cases, "case"), counted(task.external->seeds, "seed"));
  else
    fmt::print("{}", admission_text(task.name, result.admission, result.device, screen_of(stdout)));
}

void print_weak_problems(const app::WeakProblemsResult& result) {
  Table table({{"problem"}, {""}, {"why"}});
  for (const auto& checked : result.problems) {
    for (const auto& sentence : checked.weak)
      table.add({printable(checked.problem), "weak", printable(sentence)});
    if (!checked.refused.empty())
      table.add({printable(checked.problem), "refused", printable(checked.refused)});
  }
  fmt::print(
      "{}{}: on {} KernelBench's own check takes what computes nothing, {} cannot be judged\n",
      table.text(screen_of(stdout)), counted(result.problems, "problem"), result.weak,
      result.refused);
}

int check_several(const Typed<app::TaskCheckRequest>& command) {
  Progress progress(command.json);
  const auto result = app::weak_problems(command.task, progress);
  if (command.json)
    put_json(result);
  else
    print_weak_problems(result);
  return static_cast<int>(result.weak + result.refused == 0 ? ExitCode::ok
                                                            : ExitCode::not_accepted);
}

}  // namespace

int task_check(const Typed<app::TaskCheckRequest>& command) {
  if (tables::names_several(command.task)) return check_several(command);
  Progress progress(command.json);
  const auto result = app::check_task(command, progress);
  if (command.json)
    put_json(result);
  else
    print_checked_task(result);
  if (!result.malformed.empty()) return static_cast<int>(ExitCode::bad_input);
  return static_cast<int>(result.admitted() ? ExitCode::ok : ExitCode::not_accepted);
}

}  // namespace hone::cli
