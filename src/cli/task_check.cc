// `hone task check`: see app/task_check.h and app/weak_problems.h.
#include "app/task_check.h"

#include <fmt/format.h>

#include <cstdio>

#include "app/weak_problems.h"
#include "base/error.h"
#include "base/words.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/progress.h"
#include "cli/results.h"
#include "cli/streams.h"
#include "tables/problems.h"
#include "task/candidate_loader.h"
#include "text/admission_text.h"
#include "text/table.h"

namespace hone::cli {
using namespace text;
namespace {

std::string counted(const auto& things, std::string_view singular) {
  return base::counted(static_cast<std::int64_t>(things.size()), singular);
}

}  // namespace

std::string task_checked_text(const app::TaskCheckResult& result, const Screen& screen) {
  const core::Task& task = result.task;
  if (!task.external) return admission_text(task.name, result.admission, result.device, screen);
  return fmt::format(
      "{} is well formed ({}, {}); it is external, so only its own evaluator can say whether "
      "candidates are right\n",
      printable(task.name), counted(task.cases, "case"), counted(task.external->seeds, "seed"));
}

std::string weak_problems_text(const app::WeakProblemsResult& result, const Screen& screen) {
  Table table({{"problem"}, {""}, {"why"}});
  for (const auto& checked : result.problems) {
    for (const auto& sentence : checked.weak)
      table.add({printable(checked.problem), "weak", printable(sentence)});
    if (!checked.refused.empty())
      table.add({printable(checked.problem), "refused", printable(checked.refused)});
  }
  return fmt::format(
      "{}{}: on {} KernelBench's own check takes what computes nothing, {} cannot be judged\n",
      table.text(screen), counted(result.problems, "problem"), result.weak, result.refused);
}

namespace {

void print_checked_task(const app::TaskCheckResult& result) {
  if (result.malformed.empty()) return put(task_checked_text(result, screen_of(stdout)));
  std::fprintf(stderr, "%s\n%s to fix\n",
               printable_lines(task::render_with_sources(result.malformed)).c_str(),
               counted(result.malformed, "mistake").c_str());
}

int check_several(const Typed<app::TaskCheckRequest>& command) {
  Progress progress(command.json);
  const auto result = app::weak_problems(command.task, progress);
  put(command.json ? base::json_text(result) : weak_problems_text(result, screen_of(stdout)));
  return static_cast<int>(exit_code(result));
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
  return static_cast<int>(exit_code(result));
}

}  // namespace hone::cli
