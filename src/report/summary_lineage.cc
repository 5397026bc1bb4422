#include "report/summary_lineage.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "agents/prompts.h"
#include "report/summary_markdown.h"
#include "run/names.h"
#include "text/evaluation_text.h"
#include "text/format.h"
#include "text/markdown.h"

namespace hone::report {
using namespace text;

namespace {

std::string evidence(const RunSummary& summary, const core::Node& node) {
  std::string out;
  std::set<std::string> told;  // a refusal may be the node's own certification
  const NodeRecords& records = records_of(summary, node);
  for (const auto* record : {&records.screened, &records.certified, &records.refused})
    if (*record && told.insert((*record)->id).second) {
      const auto& e = (*record)->evaluation;
      out += fmt::format("- {}: {} (evaluation `{}`)\n", core::name_of(e.key.depth),
                         verdict_text(e, {}), (*record)->id);
      for (const auto& said : e.evidence) out += fmt::format("  - {}\n", markdown(said.text));
    }
  return out;
}

std::string predicted_text(const store::Citation& cited) {
  return fmt::format("{:.3g} to {:.3g} %", cited.predicted.low, cited.predicted.high);
}

std::string realised_text(const store::Citation& cited) {
  if (cited.realised) return format_gain(*cited.realised);
  return cited.outcome.empty() ? "not judged" : markdown(cited.outcome);
}

std::string cited_text(const store::Citation& cited) {
  return fmt::format("advice {} ({}): {}; predicted {}, realised in case {}: {} (profile `{}`)",
                     markdown(cited.advice), markdown(cited.tool), markdown(cited.title),
                     predicted_text(cited), markdown(cited.case_name), realised_text(cited),
                     cited.profile);
}

std::string first_of_line(const RunSummary& summary, const core::Node& node) {
  const auto& line = records_of(summary, node).candidate.line;
  return fmt::format("{}, by {} (`{}`).\n\n", markdown(line.name),
                     line.author.empty() ? "an unknown author" : markdown(line.author),
                     markdown(run::name_of_place(node.place)));
}

std::string step(const RunSummary& summary, const core::Node& node) {
  std::string out = fmt::format("### {}", run::node_name(node.number));
  if (const auto seconds = seconds_of(summary, node))
    out += fmt::format(": {}", format_seconds(*seconds));
  out += "\n\n";
  const core::Node* basis = summary.tree.node(node.basis);
  if (basis == nullptr) return out + first_of_line(summary, node) + evidence(summary, node);
  out += fmt::format("From {}{}, generation {}.", run::node_name(basis->number),
                     node.reference != 0
                         ? fmt::format(" with {} as reference", run::node_name(node.reference))
                         : "",
                     node.place.generation);
  const core::Intent* intent = summary.tree.intent(node.intent);
  if (intent != nullptr) {
    out += fmt::format(" **{}**", markdown(intent->experiment.description));
    if (!intent->taken_as.empty())
      out += fmt::format(" (taken as: {})", markdown(intent->taken_as));
  }
  out += "\n\n";
  if (const auto predicted = prediction_text(summary, node); !predicted.empty())
    out += fmt::format("- predicted: saves {}\n", predicted);
  if (const auto gain = gain_of(summary, node))
    out += fmt::format("- realised: {}\n", format_gain(*gain));
  if (const auto cited = summary.citations.find(node.intent); cited != summary.citations.end())
    for (const auto& one : cited->second) out += "- rests on " + cited_text(one) + "\n";
  if (!node.report.empty()) out += fmt::format("- its writer says: {}\n", markdown(node.report));
  out += evidence(summary, node);
  const std::string diff = agents::diff(records_of(summary, *basis).candidate.source,
                                        records_of(summary, node).candidate.source,
                                        run::node_name(basis->number), run::node_name(node.number));
  return out + "\n<details><summary>What changed</summary>\n\n" + fenced(diff, "diff") +
         "\n</details>\n";
}

}  // namespace

std::string node_names(const std::vector<core::NodeId>& numbers) {
  std::vector<std::string> names;
  for (const auto number : numbers) names.push_back(run::node_name(number));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string lineage_markdown(const RunSummary& summary) {
  const auto line = lineage(summary);
  if (line.empty()) return "";
  std::vector<core::NodeId> numbers;
  for (const auto* node : line) numbers.push_back(node->number);
  std::string out = fmt::format("## How the best came to be\n\n{} {}: {}.\n", line.size() - 1,
                                line.size() == 2 ? "step" : "steps", node_names(numbers));
  for (const auto* node : line) out += "\n" + step(summary, *node);
  return out;
}

std::string predictions_markdown(const RunSummary& summary) {
  int told = 0, within = 0, below = 0, above = 0;
  std::vector<std::vector<std::string>> rows;
  for (const core::Node* node : written(summary)) {
    const core::Experiment* experiment = experiment_of(summary, *node);
    if (experiment == nullptr) continue;
    const auto gain = gain_of(summary, *node);
    std::string word = "failed";
    if (gain) {
      ++told;
      const bool low = *gain < experiment->gain_low;
      const bool high = *gain > experiment->gain_high;
      (low ? below : high ? above : within)++;
      word = low ? "less than predicted" : high ? "more than predicted" : "as predicted";
    }
    rows.push_back({run::node_name(node->number), markdown(experiment->description),
                    prediction_text(summary, *node), gain ? format_gain(*gain) : "-", word});
  }
  if (rows.empty()) return "";
  return fmt::format(
             "## Predicted and realised\n\nOf {} experiments with a working candidate {} did what "
             "was predicted, {} less, {} more.\n\n",
             told, within, below, above) +
         markdown_table({"node", "experiment", "predicted", "realised", ""}, rows);
}

std::string advice_markdown(const RunSummary& summary) {
  if (summary.profiles.empty()) return "";
  std::string profiled;
  for (const auto& shown : summary.profiles)
    profiled += fmt::format("{}{} (generation {}, profile `{}`)", profiled.empty() ? "" : ", ",
                            run::node_name(shown.node), shown.generation, shown.profile);
  std::vector<std::vector<std::string>> rows;
  for (const auto& [number, citations] : summary.citations) {
    const core::Intent& intent = *summary.tree.intent(number);
    for (const auto& cited : citations)
      rows.push_back({std::to_string(intent.generation), markdown(intent.experiment.description),
                      fmt::format("{} {}: {}", markdown(cited.advice), markdown(cited.tool),
                                  markdown(cited.title)),
                      predicted_text(cited), cited.node ? run::node_name(*cited.node) : "-",
                      realised_text(cited)});
  }
  std::string out = fmt::format("## Advice\n\nDesigners were shown advice for {}.\n\n", profiled);
  if (rows.empty()) return out + "No experiment cited any.\n";
  return out + markdown_table(
                   {"generation", "experiment", "rests on", "predicted", "node", "realised"}, rows);
}

}  // namespace hone::report
