#include <fmt/format.h>

#include <algorithm>

#include "agents/edits.h"
#include "agents/experiment.h"
#include "agents/fences.h"
#include "agents/text.h"
#include "task/candidate_loader.h"

namespace hone::agents {
namespace {

constexpr std::string_view whole_form =
    "Answer with one fenced code block that holds the whole source, its launch plan in the first comment, and then a "
    "\"## Report\".";

// A comment that opens with the word hone and a number.
bool has_plan(std::string_view code) {
  for (auto at = code.find("/*"); at != std::string_view::npos; at = code.find("/*", at + 2)) {
    const auto text = trimmed(code.substr(at + 2, 40));
    if (text.starts_with("hone ") || text.starts_with("hone\t")) return true;
  }
  return false;
}

bool has_kernel(std::string_view code) {
  return code.find("__global__") != std::string_view::npos || code.find("__kernel") != std::string_view::npos;
}

// "// ... rest unchanged ...": the line's number; 0: the source is whole.
int elided_line(std::string_view code) {
  int number = 0;
  for (const auto line : lines_of(code)) {
    ++number;
    const auto comment = line.find("//");
    if (comment == std::string_view::npos) continue;
    const auto text = lower(line.substr(comment));
    if (text.find("...") == std::string::npos && text.find("…") == std::string::npos) continue;
    for (const char* word : {"unchanged", "existing code", "rest of", "same as before", "as before", "omitted"})
      if (text.find(word) != std::string::npos) return number;
  }
  return 0;
}

std::string cut_off_text(const llm::Reply& reply) {
  const bool limit = reply.stop == "length" || reply.stop == "max_tokens";
  return fmt::format(
      "Your answer ends inside the code block{}. {}",
      limit ? ": it reached the largest length an answer may have, so write a shorter source, or edits" : "",
      whole_form);
}

// The one block that is the candidate, or what is wrong.
base::Result<std::string> whole_source(const llm::Reply& reply, std::string_view text,
                                       const std::vector<FencedBlock>& blocks, std::size_t report, PlanNeeded plan) {
  std::vector<std::string_view> sources, others;
  bool cut_off = false;
  for (const auto& block : blocks) {
    const bool in_report = block.begin > report;
    if (!block.closed)
      cut_off = cut_off || !in_report;
    else if (plan == PlanNeeded::yes && has_plan(block.code))
      sources.push_back(block.code);
    else if (in_report)
      continue;
    else if (plan == PlanNeeded::no && !trimmed(block.code).empty())
      sources.push_back(block.code);
    else
      others.push_back(block.code);
  }
  if (cut_off) return base::Failure{cut_off_text(reply)};
  std::sort(sources.begin(), sources.end());
  sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
  const bool second_file = std::any_of(others.begin(), others.end(), has_kernel);
  if (sources.size() > 1 || (sources.size() == 1 && second_file))
    return base::Failure{fmt::format("Your answer has more than one source; a candidate is one file. {}", whole_form)};
  if (sources.size() == 1) return std::string(sources[0]);
  if (!blocks.empty())
    return base::Failure{
        fmt::format("The code in your answer has no launch plan: it must open with a comment whose first "
                    "line is \"/* hone 1\". {}",
                    whole_form)};
  const bool unfenced = has_plan(text) || has_kernel(text);
  return base::Failure{fmt::format(
      "{} {}", unfenced ? "The code in your answer is not in a fenced block." : "There is no code in your answer.",
      whole_form)};
}

base::Result<std::string> edited_source(const Edits& found, const std::string& basis,
                                        const std::vector<FencedBlock>& blocks, PlanNeeded plan) {
  if (basis.empty())
    return base::Failure{fmt::format("There is no basis that edits could be applied to. {}", whole_form)};
  for (const auto& block : blocks)
    if (plan == PlanNeeded::yes && has_plan(block.code) && (block.end <= found.begin || block.begin >= found.end))
      return base::Failure{
          std::string("Your answer has both a whole source and edits of the basis: send one of the two.")};
  auto source = edited(found.edits, without_carriage_returns(basis));
  if (!source) return source;
  if (trimmed(*source) == trimmed(without_carriage_returns(basis)))
    return base::Failure{std::string("Your edits change nothing: the source would be the basis itself.")};
  if (plan == PlanNeeded::yes && !has_plan(*source))
    return base::Failure{std::string("Your edits remove the launch plan, the comment that opens with \"/* hone 1\".")};
  return source;
}

// What stands under the heading; without one, what is neither code nor edit.
std::string report_in(std::string_view text, const std::vector<FencedBlock>& blocks, std::size_t heading,
                      const Edits& edits) {
  if (heading != std::string_view::npos) {
    const auto line_end = std::min(text.find('\n', heading), text.size());
    auto report = text.substr(line_end);
    if (edits.end > line_end) report = edits.begin > line_end ? text.substr(line_end, edits.begin - line_end) : "";
    return std::string(trimmed(report));
  }
  std::string prose;
  std::size_t at = 0;
  const auto skip = [&](std::size_t begin, std::size_t end) {
    if (begin > at) prose += text.substr(at, begin - at);
    at = std::max(at, end);
  };
  for (const auto& block : blocks) skip(block.begin, block.end);
  if (edits.edits.empty())
    skip(text.size(), text.size());
  else
    prose = std::string(text.substr(0, edits.begin)) + std::string(text.substr(edits.end));
  return std::string(trimmed(prose));
}

}  // namespace

base::Result<Written> parse_written(const llm::Reply& reply, const std::string& basis, PlanNeeded plan) {
  const auto text = without_carriage_returns(reply.text);
  if (trimmed(text).empty()) return base::Failure{fmt::format("Your answer is empty. {}", whole_form)};
  const auto blocks = fenced_blocks(text);
  const auto heading = report_heading(text, blocks);
  const auto edits = edits_in(text);
  if (!edits) return base::Failure{edits.error()};
  auto source = edits->edits.empty() ? whole_source(reply, text, blocks, heading, plan)
                                     : edited_source(*edits, basis, blocks, plan);
  if (!source) return base::Failure{source.error()};
  if (const int line = elided_line(*source); line > 0 && edits->edits.empty())
    return base::Failure{
        fmt::format("Line {} of your source stands for code that is not there. Send the whole source, or "
                    "edits of the basis.",
                    line)};
  if (source->size() > task::largest_source)
    return base::Failure{fmt::format("Your source has {} bytes; {} at most.", source->size(), task::largest_source)};
  if (!source->ends_with('\n')) *source += '\n';
  return Written{*std::move(source), report_in(text, blocks, heading, *edits)};
}

}  // namespace hone::agents
