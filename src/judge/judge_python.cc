// From a candidate in Python to a runner that has it loaded.
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "judge/judge.h"
#include "judge/judge_case.h"
#include "judge/python_candidate.h"

namespace hone::judge {

using core::Evaluation;
using core::Outcome;
using nlohmann::json;

std::string no_python_here(const core::Task& task) {
  if (task.interface) return "";
  return task.reference_py ? fmt::format(
                                 "task {} takes no candidates in Python: its folder has no interface.json, which "
                                 "says how they are called",
                                 task.name)
                           : fmt::format(
                                 "task {} takes no candidates in Python: its reference is no torch module "
                                 "(reference.py), so nothing says how they would be called",
                                 task.name);
}

std::string python_image(const core::Task& task, const core::Candidate& candidate) {
  return json{{"source", candidate.source}, {"name", candidate.name}, {"interface", json::parse(*task.interface)}}
      .dump();
}

std::string python_call(const core::Task& task, const core::Case& which) {
  json scalars = json::object();
  for (const auto& scalar : task.scalars) {
    if (!scalar.expression) {
      scalars[scalar.name] = scalar.value;
    } else if (const auto value = scalar.expression->evaluate(which.bindings)) {
      scalars[scalar.name] = *value;
    }
  }
  return json{{"case", which.name}, {"scalars", scalars}}.dump();
}

const runner::Python& Judge::own_python() {
  if (!python_) python_ = runner::find_python();
  return *python_;
}

std::optional<Ready> Judge::load_python(Ready ready, Evaluation& evaluation,
                                        const std::function<std::unique_ptr<runner::Runner>()>& runner_for) {
  ready.runner = runner_for();
  const auto start = Clock::now();
  const auto loaded = ready.runner->load(python_image(task_, ready.candidate), {}, options_.build_seconds);
  evaluation.seconds_build += since(start);
  if (!loaded) {
    const bool raised = loaded.error().outcome == Outcome::launch_failed;
    convict(evaluation, raised ? Outcome::build_failed : loaded.error().outcome,
            {raised ? "" : "limits", raised ? 0 : 40, true, "", loaded.error().text});
    return std::nullopt;
  }
  return ready;
}

}  // namespace hone::judge
