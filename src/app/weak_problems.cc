#include "app/weak_problems.h"

#include "app/inputs.h"
#include "base/error.h"
#include "base/fields.h"
#include "tables/problems.h"

namespace hone::app {
namespace {

CheckedProblem check_problem(const std::string& text, Sink& sink) {
  CheckedProblem checked{text, {}, {}, {}};
  try {
    const core::Task task = task_from(text, sink);
    checked.weak = task.weak;
    checked.task = task.folder.string();
  } catch (const base::Error& error) {
    if (error.code() != base::ExitCode::bad_input) throw;
    checked.refused = error.what();
  }
  return checked;
}

}  // namespace

WeakProblemsResult weak_problems(const std::string& problems, Sink& sink) {
  WeakProblemsResult result;
  const auto tasks = tables::single_tasks({problems});
  for (const auto& text : tasks) {
    if (sink.cancelled()) break;
    sink.step({text,
               static_cast<double>(result.problems.size()) / static_cast<double>(tasks.size()),
               {}});
    const auto& checked = result.problems.emplace_back(check_problem(text, sink));
    result.weak += checked.weak.empty() ? 0 : 1;
    result.refused += checked.refused.empty() ? 0 : 1;
  }
  sink.step({});
  return result;
}

void describe(base::Fields& f, const CheckedProblem& checked) {
  const bool judged = checked.refused.empty();
  f("problem", checked.problem)("weak", checked.weak);
  f(judged ? "task" : "refused", judged ? checked.task : checked.refused);
}

void describe(base::Fields& f, const WeakProblemsResult& result) {
  f("problems", result.problems)("weak", result.weak)("refused", result.refused);
}

}  // namespace hone::app
