#include "agents/node_text.h"

#include <fmt/format.h>

#include "agents/prompts.h"
#include "agents/task_text.h"
#include "agents/text.h"
#include "base/words.h"

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

namespace {

std::optional<double> metric_of(const core::Evaluation& evaluation, const std::string& tag,
                                const std::string& case_name) {
  for (const core::Metric& metric : evaluation.metrics)
    if (metric.tag == tag && metric.case_name == case_name) return metric.value;
  return std::nullopt;
}

// A candidate's errors beside those of torch itself, and the classes that it solves: a near miss of
// single precision is worth knowing.
std::string classes_text(const core::Evaluation& evaluation) {
  std::string text;
  for (const auto& result : evaluation.cases) {
    const auto value = [&](const char* tag) {
      return metric_of(evaluation, std::string("class.") + tag, result.name);
    };
    const auto rms = value("error.rms"), max = value("error.max");
    if (!result.timed || !rms || !max) continue;
    text += fmt::format("- `{}`: its error is rms {:.3g}, max {:.3g}", result.name, *rms, *max);
    for (const auto& [name, title] :
         {std::pair{"fp32", "in single precision"}, {"tf32", "with TF32"}})
      if (const auto eager = value((std::string(name) + ".eager.rms").c_str()))
        text += fmt::format("; eager's {} is rms {:.3g} ({} class {})", title, *eager,
                            value((std::string(name) + ".solved").c_str()).value_or(0) > 0
                                ? "it solves"
                                : "it misses",
                            name);
    text += "\n";
  }
  return text;
}

// What the compiler said of registers, spills and serialised instructions.
std::string build_text(const core::Evaluation& evaluation) {
  constexpr std::size_t most_lines = 8;
  std::string text;
  std::size_t count = 0;
  for (const auto line : lines_of(evaluation.build_log)) {
    const auto said = trimmed(line);
    const bool is_ptxas = said.starts_with("ptxas") || said.find("registers") != said.npos;
    if (!is_ptxas || count == most_lines) continue;
    text += fmt::format("- {}\n", in_one_line(std::string(said), longest_experiment));
    ++count;
  }
  return text.empty() ? "" : "The compiler says:\n" + text;
}

}  // namespace

std::string followed_text(const std::vector<FollowedAdvice>& followed) {
  std::string text;
  for (const FollowedAdvice& one : followed)
    text += fmt::format("- {} followed \"{}\" ({}; predicted {:.3g} to {:.3g} %): {}\n",
                        node_id(one.node), in_one_line(one.title, longest_experiment), one.tool,
                        one.predicted.low, one.predicted.high,
                        one.realised          ? fmt::format("it saved {:.3g} %", *one.realised)
                        : one.outcome.empty() ? "not judged yet"
                        : one.outcome == "accepted" ? "accepted, but what it brought cannot be told"
                                                    : one.outcome);
  return text;
}

std::string verdict_text(const core::Node& node) {
  if (!node.verdict) return "not judged yet";
  const auto& verdict = *node.verdict;
  std::string text(core::name_of(verdict.outcome));
  if (verdict.geomean)
    return text + fmt::format(", geometric mean {}", seconds_text(*verdict.geomean));
  return verdict.reason.empty() ? text : text + ": " + in_one_line(verdict.reason, longest_why);
}

std::string tuning_text(const core::Tuning& tuning) {
  std::string values;
  for (const auto& [name, value] : tuning.point)
    values += fmt::format("{}{} = {}", values.empty() ? "" : ", ", name, value);
  std::string text = fmt::format("{} of its [tune] table tried ({})",
                                 base::counted(tuning.points, "point"), tuning.ended);
  if (!tuning.changed()) return text;
  return text + fmt::format(
                    "; its defaults are {} now, {:.2f} times as fast as with those that "
                    "were written (99 %: {:.2f} to {:.2f})",
                    values, 1 / tuning.ratio, 1 / tuning.interval.high, 1 / tuning.interval.low);
}

std::string times_text(const ShownNode& shown) {
  std::string text =
      fmt::format("Node {}: {}.\n", node_id(shown.node.number), verdict_text(shown.node));
  if (shown.node.tuning)
    text += fmt::format("Hone tuned it: {}.\n", tuning_text(*shown.node.tuning));
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
  return text + classes_text(*shown.evaluation) + build_text(*shown.evaluation) +
         race_text(*shown.evaluation);
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
    text += fmt::format(
        "| {} | {} | {} | {} | {} |\n", node_id(node.number), parents_text(node),
        verdict_text(node) + (listed->incumbent ? "; **the incumbent**" : ""), short_times(node),
        listed->experiment != nullptr
            ? in_one_line(listed->experiment->description, longest_experiment)
        : listed->design.empty()
            ? "-"
            : "no experiment; its design: " + in_one_line(listed->design, longest_experiment));
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
                        core::name_of(one->experiment.kind), in_one_line(one->why, longest_why));
  return text;
}

}  // namespace hone::agents
