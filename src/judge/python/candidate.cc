#include "judge/python/candidate.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "judge/since.h"
#include "runner/said.h"

namespace hone::judge {

using core::Outcome;
using nlohmann::json;

std::string no_python_here(const core::Task& task) {
  if (task.interface) return "";
  return fmt::format(
      "task {} takes no candidates in Python: its folder has no interface.json, which says how "
      "they are called",
      task.name);
}

std::string python_image(const core::Task& task, const core::Candidate& candidate) {
  return json{{"source", candidate.source},
              {"name", candidate.name},
              {"interface", json::parse(*task.interface)}}
      .dump();
}

std::string python_call(const core::Task& task, const core::Case& which, bool lenient) {
  json scalars = which.bindings;  // integers inside nested inputs are symbols of the case
  for (const auto& scalar : task.scalars) {
    if (!scalar.expression) {
      scalars[scalar.name] = scalar.value;
    } else if (const auto value = scalar.expression->evaluate(which.bindings)) {
      scalars[scalar.name] = *value;
    }
  }
  return json{{"case", which.name}, {"scalars", scalars}, {"lenient", lenient}}.dump();
}

std::vector<std::size_t> arguments_of(const core::Task& task) {
  const json weights = json::parse(task.interface.value_or("{}")).value("weights", json::array());
  std::vector<std::size_t> arguments;
  for (std::size_t i = 0; i < task.inputs.size(); ++i)
    if (std::none_of(weights.begin(), weights.end(), [&](const json& weight) {
          return weight.value("tensor", "") == task.inputs[i].name;
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

bool mentions_output(const json& value) {
  if (value.is_object() && value.contains("output")) return true;
  return value.is_structured() && std::any_of(value.begin(), value.end(), mentions_output);
}

}  // namespace

bool hands_over_outputs(const core::Task& task) {
  const json interface = json::parse(task.interface.value_or("{}"));
  const json buffers = interface.value("buffers", json::object());
  const auto has_place = [](const json& buffer) {
    return buffer.is_object() && buffer.value("of", json()).is_string();
  };
  if (std::any_of(buffers.begin(), buffers.end(), has_place)) return true;
  const json cases = interface.value("cases", json::object());
  return mentions_output(interface.value("arguments", json::array())) || mentions_output(cases);
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
