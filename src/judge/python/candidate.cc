#include "judge/python/candidate.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/json.h"
#include "judge/since.h"
#include "runner/said.h"
#include "task/interface.h"

namespace hone::judge {

using core::Outcome;

std::string no_python_here(const core::Task& task) {
  if (task.interface) return "";
  return fmt::format(
      "task {} takes no candidates in Python: its folder has no interface.json, which says how "
      "they are called",
      task.name);
}

std::string python_image(const core::Task& task, const core::Candidate& candidate) {
  return base::json_line([&](base::Fields& f) {
    f("source", candidate.source)("name", candidate.name);
    f("interface", base::RawJson{*task.interface});
  });
}

std::string python_call(const core::Task& task, const core::Case& which, bool lenient) {
  return base::json_line([&](base::Fields& f) {
    f("case", which.name);
    f.group("scalars", [&] {  // integers inside nested inputs are symbols of the case
      for (const auto& [name, value] : which.bindings) f(name, value);
      for (const auto& scalar : task.scalars) {
        if (!scalar.expression) {
          f(scalar.name, scalar.value);
        } else if (const auto value = scalar.expression->evaluate(which.bindings)) {
          f(scalar.name, *value);
        }
      }
    });
    f("lenient", lenient);
  });
}

std::vector<std::size_t> arguments_of(const core::Task& task) {
  const auto weights = task::interface_of(task).weights;
  std::vector<std::size_t> arguments;
  for (std::size_t i = 0; i < task.inputs.size(); ++i)
    if (std::none_of(weights.begin(), weights.end(), [&](const task::Weight& weight) {
          return weight.tensor == task.inputs[i].name;
        }))
      arguments.push_back(i);
  return arguments;
}

namespace {

// What the worker noted comes from a process in which the candidate's code has run.
void add_notes(const GuardSet& guards, const std::vector<std::string>& notes,
               core::Evaluation& evaluation) {
  constexpr std::size_t most_notes = 3, longest_note = 600;
  const std::size_t count = std::min(notes.size(), most_notes);
  for (const auto& note : std::span(notes).first(count))
    add(evaluation, guards.on(Guard::worker_text)
                        ? label(Guard::worker_text,
                                runner::said(runner::candidates_process, note, longest_note))
                        : label(Guard::none, note));
}

bool mentions_output(const std::vector<task::Coded>& values) {
  return std::any_of(values.begin(), values.end(), [](const task::Coded& one) {
    return one.kind == "output" || mentions_output(one.parts);
  });
}

}  // namespace

bool hands_over_outputs(const core::Task& task) {
  const auto interface = task::interface_of(task);
  const auto& buffers = interface.buffers;
  const auto& cases = interface.case_arguments;
  return std::any_of(buffers.begin(), buffers.end(),
                     [](const auto& buffer) { return !buffer.second.empty(); }) ||
         mentions_output(interface.arguments.value_or(std::vector<task::Coded>())) ||
         std::any_of(cases.begin(), cases.end(),
                     [](const auto& one) { return mentions_output(one.second); });
}

base::Result<Ready, Finding> load_python(Judge& judge, Ready ready, const base::Fd* ahead,
                                         core::Evaluation& evaluation, const RunnerSource& source) {
  judge.python_costs().learn_all(judge);
  ready.runner = source();
  const auto start = Clock::now();
  const auto loaded = ready.runner->load(python_image(judge.task(), ready.candidate), {},
                                         judge.options().build_seconds, ahead);
  evaluation.seconds_build += since(start);
  if (!loaded) {
    const runner::Fault& fault = loaded.error();
    if (fault.outcome != Outcome::launch_failed) return base::Failure{runner_failure(fault)};
    return base::Failure{conviction(Outcome::build_failed, Guard::none, fault.text)};
  }
  add_notes(judge.options().guards, ready.runner->notes(), evaluation);
  return ready;
}

}  // namespace hone::judge
