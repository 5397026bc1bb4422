#include "report/story_lineage.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "agents/prompts.h"
#include "report/story_markdown.h"
#include "text/evaluation_text.h"
#include "text/format.h"
#include "text/markdown.h"

namespace hone::report {
using namespace text;

namespace {

std::string evidence(const StoryMember& member) {
  std::string out;
  std::set<std::string> told;  // a refusal may be the member's own certification
  for (const auto* record : {&member.screened, &member.certified, &member.refused})
    if (*record && told.insert((*record)->id).second) {
      const auto& e = (*record)->evaluation;
      out +=
          fmt::format("- {}: {} (evaluation `{}`)\n", core::name_of(e.key.depth), verdict_text(e, {}), (*record)->id);
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
  return fmt::format("advice {} ({}): {}; predicted {}, realised in case {}: {} (profile `{}`)", markdown(cited.advice),
                     markdown(cited.tool), markdown(cited.title), predicted_text(cited), markdown(cited.case_name),
                     realised_text(cited), cited.profile);
}

std::string step(const Story& story, const StoryMember& member) {
  std::string out = fmt::format("### {}", member_label(member.record.number));
  if (member.seconds()) out += fmt::format(": {}", format_seconds(*member.seconds()));
  const StoryMember* basis = member.record.basis ? story.find(*member.record.basis) : nullptr;
  if (basis == nullptr) {
    out += fmt::format("\n\n{}, by {} (`{}`).\n\n", markdown(member.candidate.line.name),
                       member.candidate.line.author.empty() ? "nobody named" : markdown(member.candidate.line.author),
                       markdown(member.record.step));
    return out + evidence(member);
  }
  out += fmt::format(
      "\n\nFrom {}{}, generation {}.", member_label(basis->record.number),
      member.record.reference ? fmt::format(" with {} as reference", member_label(*member.record.reference)) : "",
      member.record.generation);
  if (member.experiment) {
    out += fmt::format(" **{}**", markdown(member.experiment->description));
    if (!member.experiment->taken_as.empty())
      out += fmt::format(" (taken as: {})", markdown(member.experiment->taken_as));
  }
  out += "\n\n";
  if (!prediction_text(member).empty()) out += fmt::format("- predicted: saves {}\n", prediction_text(member));
  if (const auto gain = realised_gain(story, member)) out += fmt::format("- realised: {}\n", format_gain(*gain));
  if (member.experiment)
    for (const auto& cited : member.experiment->advice) out += "- rests on " + cited_text(cited) + "\n";
  if (!member.record.report.empty()) out += fmt::format("- its writer says: {}\n", markdown(member.record.report));
  out += evidence(member);
  const std::string diff = agents::diff(basis->candidate.source, member.candidate.source,
                                        member_label(basis->record.number), member_label(member.record.number));
  return out + "\n<details><summary>What changed</summary>\n\n" + fenced(diff, "diff") + "\n</details>\n";
}

}  // namespace

std::string member_labels(const std::vector<int>& numbers) {
  std::vector<std::string> names;
  for (const int number : numbers) names.push_back(member_label(number));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string lineage_markdown(const Story& story) {
  const auto line = lineage(story);
  if (line.empty()) return "";
  std::vector<int> numbers;
  for (const StoryMember* member : line) numbers.push_back(member->record.number);
  std::string out = fmt::format("## How the best came to be\n\n{} {}: {}.\n", line.size() - 1,
                                line.size() == 2 ? "step" : "steps", member_labels(numbers));
  for (const StoryMember* member : line) out += "\n" + step(story, *member);
  return out;
}

std::string predictions_markdown(const Story& story) {
  int told = 0, within = 0, below = 0, above = 0;
  std::vector<std::vector<std::string>> rows;
  for (const StoryMember& member : story.members) {
    if (!member.experiment || !member.experiment->gain) continue;
    const auto gain = realised_gain(story, member);
    std::string word = "failed";
    if (gain) {
      ++told;
      const bool low = *gain<member.experiment->gain->low, high = *gain> member.experiment->gain->high;
      (low ? below : high ? above : within)++;
      word = low ? "less than predicted" : high ? "more than predicted" : "as predicted";
    }
    rows.push_back({member_label(member.record.number), markdown(member.experiment->description),
                    prediction_text(member), gain ? format_gain(*gain) : "-", word});
  }
  if (rows.empty()) return "";
  return fmt::format(
             "## Predicted and realised\n\nOf {} experiments with a working candidate {} did what was predicted, {} "
             "less, "
             "{} more.\n\n",
             told, within, below, above) +
         markdown_table({"member", "experiment", "predicted", "realised", ""}, rows);
}

std::string advice_markdown(const Story& story) {
  if (story.profiles.empty()) return "";
  std::string profiled;
  for (const auto& shown : story.profiles)
    profiled += fmt::format("{}{} (generation {}, profile `{}`)", profiled.empty() ? "" : ", ",
                            member_label(shown.member), shown.generation, shown.profile);
  std::vector<std::vector<std::string>> rows;
  for (const auto& experiment : story.experiments)
    for (const auto& cited : experiment.advice)
      rows.push_back({std::to_string(experiment.generation), markdown(experiment.description),
                      fmt::format("{} {}: {}", markdown(cited.advice), markdown(cited.tool), markdown(cited.title)),
                      predicted_text(cited), cited.member ? member_label(*cited.member) : "-", realised_text(cited)});
  std::string out = fmt::format("## Advice\n\nDesigners were shown advice for {}.\n\n", profiled);
  if (rows.empty()) return out + "No experiment cited any.\n";
  return out + markdown_table({"generation", "experiment", "rests on", "predicted", "member", "realised"}, rows);
}

}  // namespace hone::report
