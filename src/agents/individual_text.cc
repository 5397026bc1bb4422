#include "agents/individual_text.h"

#include <fmt/format.h>

#include "agents/prompts.h"
#include "agents/task_text.h"
#include "agents/text.h"

namespace hone::agents {
namespace {

constexpr std::size_t longest_told = 1500, longest_experiment = 200, longest_why = 160;
constexpr int most_fruitless = 30;  // the newest

std::string ids_text(const std::vector<int>& numbers) {
  std::string text;
  for (const int number : numbers) text += (text.empty() ? "" : " ") + member_id(number);
  return text.empty() ? "-" : text;
}

const core::CaseResult* case_of(const Individual* individual, const std::string& name) {
  if (individual == nullptr || !individual->evaluation) return nullptr;
  for (const auto& result : individual->evaluation->cases)
    if (result.name == name) return &result;
  return nullptr;
}

bool was_timed(const core::CaseResult& result) { return result.timed && result.median > 0; }

std::string fraction_text(const core::CaseResult& result) {
  if (!result.ceiling_fraction) return "";
  return fmt::format("{:.3g} % of the {} ceiling", 100 * *result.ceiling_fraction, result.ceiling);
}

std::string short_times(const Individual& individual) {
  std::string text;
  if (individual.evaluation)
    for (const auto& result : individual.evaluation->cases)
      if (was_timed(result))
        text += fmt::format("{}{}: {}{}", text.empty() ? "" : "; ", result.name, seconds_text(result.median),
                            result.ceiling_fraction ? fmt::format(" ({:.3g} %)", 100 * *result.ceiling_fraction) : "");
  return text.empty() ? "-" : text;
}

}  // namespace

std::string verdict_text(const Individual& individual) {
  if (!individual.evaluation) return "not judged yet";
  const auto& evaluation = *individual.evaluation;
  std::string text(core::name_of(evaluation.outcome));
  if (evaluation.geomean) return text + fmt::format(", geometric mean {}", seconds_text(*evaluation.geomean));
  for (const auto& evidence : evaluation.evidence)
    if (evidence.convicts) return text + ": " + in_one_line(evidence.text, longest_why);
  return text;
}

std::string times_text(const Individual& individual) {
  std::string text = fmt::format("Member {}: {}.\n", member_id(individual.number), verdict_text(individual));
  if (!individual.evaluation) return text;
  for (const auto& result : individual.evaluation->cases) {
    if (!was_timed(result)) continue;
    text += fmt::format("- `{}`: {} (95 %: {} to {})", result.name, seconds_text(result.median),
                        seconds_text(result.interval.low), seconds_text(result.interval.high));
    if (result.bandwidth > 0) text += fmt::format(", {:.4g} GB/s", result.bandwidth / 1e9);
    if (result.rate > 0) text += fmt::format(", {:.4g} Gflop/s", result.rate / 1e9);
    if (const auto fraction = fraction_text(result); !fraction.empty()) text += ", " + fraction;
    text += "\n";
  }
  return text + race_text(*individual.evaluation);
}

std::string source_text(const Mission& mission, const Individual& individual) {
  return fenced(individual.source, language_tag(mission));
}

std::string experiment_text(const Experiment& experiment) {
  std::string text = experiment.description + "\n";
  if (!experiment.rubric.empty()) text += fmt::format("\nRubric: {}\n", experiment.rubric);
  if (experiment.gain_low != 0 || experiment.gain_high != 0)
    text += fmt::format("\nPredicted: {:g} to {:g} % of the basis's time saved; innovation {:g} of 100.\n",
                        experiment.gain_low, experiment.gain_high, experiment.innovation);
  return text;
}

std::string history_text(const Individual* individual, const Individual* parent) {
  if (individual == nullptr || !individual->experiment) return "";
  std::string text = fmt::format("Member {} was made from {} by this experiment:\n{}", member_id(individual->number),
                                 ids_text(individual->parents), experiment_text(*individual->experiment));
  if (individual->evaluation)
    for (const auto& result : individual->evaluation->cases)
      if (const auto* before = case_of(parent, result.name);
          before != nullptr && was_timed(result) && was_timed(*before))
        text += fmt::format("- `{}`: {} before, {} after\n", result.name, seconds_text(before->median),
                            seconds_text(result.median));
  if (!individual->report.empty())
    text += fmt::format("What its writer says was really done: {}\n", shortened(individual->report, longest_told));
  return text;
}

std::string listing_text(const std::vector<const Individual*>& members) {
  if (members.empty()) return "";
  std::string text =
      "| id | parents | verdict | times by case (fraction of the ceiling) | experiment that made it |\n"
      "| --- | --- | --- | --- | --- |\n";
  for (const auto* member : members)
    text += fmt::format("| {} | {} | {} | {} | {} |\n", member_id(member->number), ids_text(member->parents),
                        verdict_text(*member) + (member->to_beat ? "; **the one to beat**" : ""), short_times(*member),
                        member->experiment ? in_one_line(member->experiment->description, longest_experiment) : "-");
  return text;
}

std::string fruitless_text(const std::vector<Fruitless>& experiments) {
  if (experiments.empty()) return "";
  std::string text = "| experiment | kind | what became of it |\n| --- | --- | --- |\n";
  for (auto one = experiments.rbegin(); one != experiments.rend() && one - experiments.rbegin() < most_fruitless; ++one)
    text += fmt::format(
        "| {} | {} | no candidate: {} |\n", in_one_line(one->experiment.description, longest_experiment),
        one->experiment.kind == Experiment::Kind::probe ? "probe" : "kernel", in_one_line(one->why, longest_why));
  return text;
}

}  // namespace hone::agents
