#include "agents/node_text.h"

#include <fmt/format.h>

#include "agents/prompts.h"
#include "agents/task_text.h"
#include "agents/text.h"

namespace hone::agents {
namespace {

constexpr std::size_t longest_told = 1500, longest_experiment = 200, longest_why = 160;
constexpr int most_listed = 30;  // experiments without a candidate, the newest

std::string parents_text(const core::Node& node) {
  std::string text;
  for (const core::NodeId parent : {node.basis, node.reference})
    if (parent != 0) text += (text.empty() ? "" : " ") + node_id(parent);
  return text.empty() ? "-" : text;
}

bool was_timed(const core::CaseTime& result) { return result.timed && result.median > 0; }

const core::CaseTime* case_of(const ShownNode* shown, const std::string& name) {
  if (shown == nullptr || !shown->node.verdict) return nullptr;
  for (const auto& result : shown->node.verdict->cases)
    if (result.name == name) return &result;
  return nullptr;
}

std::string short_times(const core::Node& node) {
  std::string text;
  if (node.verdict)
    for (const auto& result : node.verdict->cases)
      if (was_timed(result))
        text += fmt::format(
            "{}{}: {}{}", text.empty() ? "" : "; ", result.name, seconds_text(result.median),
            result.ceiling_fraction ? fmt::format(" ({:.3g} %)", 100 * *result.ceiling_fraction)
                                    : "");
  return text.empty() ? "-" : text;
}

}  // namespace

std::string verdict_text(const core::Node& node) {
  if (!node.verdict) return "not judged yet";
  const auto& verdict = *node.verdict;
  std::string text(core::name_of(verdict.outcome));
  if (verdict.geomean)
    return text + fmt::format(", geometric mean {}", seconds_text(*verdict.geomean));
  return verdict.reason.empty() ? text : text + ": " + in_one_line(verdict.reason, longest_why);
}

std::string times_text(const ShownNode& shown) {
  std::string text =
      fmt::format("Node {}: {}.\n", node_id(shown.node.number), verdict_text(shown.node));
  if (!shown.evaluation) return text;
  for (const auto& result : shown.evaluation->cases) {
    if (!result.timed || result.median <= 0) continue;
    text += fmt::format("- `{}`: {} (95 %: {} to {})", result.name, seconds_text(result.median),
                        seconds_text(result.interval.low), seconds_text(result.interval.high));
    if (result.bandwidth > 0) text += fmt::format(", {:.4g} GB/s", result.bandwidth / 1e9);
    if (result.rate > 0) text += fmt::format(", {:.4g} Gflop/s", result.rate / 1e9);
    if (result.ceiling_fraction)
      text += fmt::format(", {:.3g} % of the {} ceiling", 100 * *result.ceiling_fraction,
                          result.ceiling);
    text += "\n";
  }
  return text + race_text(*shown.evaluation);
}

std::string source_text(const Mission& mission, const ShownNode& shown) {
  return fenced(shown.source, language_tag(mission));
}

std::string experiment_text(const Experiment& experiment) {
  std::string text = experiment.description + "\n";
  if (!experiment.rubric.empty()) text += fmt::format("\nRubric: {}\n", experiment.rubric);
  if (experiment.gain_low != 0 || experiment.gain_high != 0)
    text += fmt::format(
        "\nPredicted: {:g} to {:g} % of the basis's time saved; innovation {:g} of 100.\n",
        experiment.gain_low, experiment.gain_high, experiment.innovation);
  return text;
}

std::string history_text(const ShownNode* shown, const ShownNode* parent) {
  if (shown == nullptr || !shown->experiment) return "";
  std::string text =
      fmt::format("Node {} was made from {} by this experiment:\n{}", node_id(shown->node.number),
                  parents_text(shown->node), experiment_text(*shown->experiment));
  if (shown->node.verdict)
    for (const auto& result : shown->node.verdict->cases)
      if (const auto* before = case_of(parent, result.name);
          before != nullptr && was_timed(result) && was_timed(*before))
        text += fmt::format("- `{}`: {} before, {} after\n", result.name,
                            seconds_text(before->median), seconds_text(result.median));
  if (!shown->node.report.empty())
    text += fmt::format("What its writer says was really done: {}\n",
                        shortened(shown->node.report, longest_told));
  return text;
}

std::string listing_text(const std::vector<const ListedNode*>& nodes) {
  if (nodes.empty()) return "";
  std::string text =
      "| id | parents | verdict | times by case (fraction of the ceiling) | experiment that made "
      "it |\n"
      "| --- | --- | --- | --- | --- |\n";
  for (const auto* listed : nodes) {
    const core::Node& node = *listed->node;
    text += fmt::format("| {} | {} | {} | {} | {} |\n", node_id(node.number), parents_text(node),
                        verdict_text(node) + (listed->incumbent ? "; **the incumbent**" : ""),
                        short_times(node),
                        listed->experiment != nullptr
                            ? in_one_line(listed->experiment->description, longest_experiment)
                            : "-");
  }
  return text;
}

std::string no_candidate_text(const std::vector<NoCandidate>& experiments) {
  if (experiments.empty()) return "";
  std::string text = "| experiment | kind | what became of it |\n| --- | --- | --- |\n";
  for (auto one = experiments.rbegin();
       one != experiments.rend() && one - experiments.rbegin() < most_listed; ++one)
    text += fmt::format("| {} | {} | no candidate: {} |\n",
                        in_one_line(one->experiment.description, longest_experiment),
                        core::name_of(one->experiment.kind),
                        in_one_line(one->why, longest_why));
  return text;
}

}  // namespace hone::agents
