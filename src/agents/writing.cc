#include <fmt/format.h>

#include <algorithm>

#include "agents/answers.h"
#include "agents/edits.h"
#include "agents/fences.h"
#include "agents/text.h"
#include "task/candidate_loader.h"
#include "task/plan_comment.h"

namespace hone::agents {
namespace {

std::string whole_form(const SourceForm& form) {
  const std::string what = form.kind == SourceForm::Kind::plan
                               ? "source, its launch plan in the first comment,"
                           : form.kind == SourceForm::Kind::python
                               ? fmt::format("file, a Python module that defines {},", form.entry)
                               : "source,";
  return fmt::format(
      "Answer with one fenced code block that holds the whole {} and then a \"## Report\".", what);
}

bool has_kernel(std::string_view code) {
  return code.find("__global__") != std::string_view::npos ||
         code.find("__kernel") != std::string_view::npos;
}

// Whether the module defines it: as a class or function, or by assigning it, at the beginning of a
// line.
bool defines(std::string_view code, std::string_view entry) {
  for (auto line : lines_of(code)) {
    const bool begins = !line.empty() && line.front() != ' ' && line.front() != '\t';
    const auto at = begins ? line.find(entry) : std::string_view::npos;
    if (at == std::string_view::npos) continue;
    const auto before = trimmed(line.substr(0, at)),
               after = trimmed(line.substr(at + entry.size()));
    if ((before == "class" || before == "def") &&
        (after.starts_with('(') || after.starts_with(':')))
      return true;
    if (before.empty() && after.starts_with('=') && !after.starts_with("==")) return true;
  }
  return false;
}

bool is_source(std::string_view code, const SourceForm& form) {
  return form.kind == SourceForm::Kind::plan     ? task::has_plan(code)
         : form.kind == SourceForm::Kind::python ? defines(code, form.entry)
                                                 : !trimmed(code).empty();
}

// "// ... rest unchanged ...": the line's number; 0: the source is whole. Python's own comments
// begin with another sign.
int elided_line(std::string_view code, const SourceForm& form) {
  int number = 0;
  for (const auto line : lines_of(code)) {
    ++number;
    auto comment = line.find("//");
    if (form.kind == SourceForm::Kind::python) comment = std::min(comment, line.find('#'));
    if (comment == std::string_view::npos) continue;
    const auto text = lower(line.substr(comment));
    if (text.find("...") == std::string::npos && text.find("…") == std::string::npos) continue;
    for (const char* word :
         {"unchanged", "existing code", "rest of", "same as before", "as before", "omitted"})
      if (text.find(word) != std::string::npos) return number;
  }
  return 0;
}

std::string cut_off_text(const llm::Reply& reply, const SourceForm& form) {
  const bool limit = reply.stop == "length" || reply.stop == "max_tokens";
  return fmt::format("Your answer ends inside the code block{}. {}",
                     limit ? ": it reached the largest length an answer may have, so write a "
                             "shorter source, or edits"
                           : "",
                     whole_form(form));
}

std::string no_source_text(std::string_view text, bool has_blocks, const SourceForm& form) {
  if (has_blocks && form.kind == SourceForm::Kind::python)
    return fmt::format(
        "The code in your answer defines no {0} at the beginning of a line: it is the {1} that is "
        "called.",
        form.entry, form.entry == "ModelNew" ? "class" : "function");
  if (has_blocks)
    return "The code in your answer has no launch plan: it must open with a comment whose first "
           "line is \"/* hone 1\".";
  const bool unfenced =
      has_kernel(text) || (form.kind != SourceForm::Kind::any && is_source(text, form));
  return unfenced ? "The code in your answer is not in a fenced block."
                  : "There is no code in your answer.";
}

// The one block that is the candidate, or what is wrong.
base::Result<std::string> whole_source(const llm::Reply& reply, std::string_view text,
                                       const std::vector<FencedBlock>& blocks, std::size_t report,
                                       const SourceForm& form) {
  std::vector<std::string_view> sources, others,
      late;  // late: in the report, where snippets stand too
  bool cut_off = false;
  for (const auto& block : blocks) {
    const bool in_report = block.begin > report;
    if (!block.closed)
      cut_off = cut_off || !in_report;
    else if (is_source(block.code, form) && (!in_report || form.kind == SourceForm::Kind::plan))
      sources.push_back(block.code);
    else if (!in_report)
      others.push_back(block.code);
    else if (form.kind == SourceForm::Kind::python && is_source(block.code, form))
      late.push_back(block.code);
  }
  if (sources.empty()) sources = late;
  if (cut_off) return base::Failure{cut_off_text(reply, form)};
  std::sort(sources.begin(), sources.end());
  sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
  const bool second_file = std::any_of(others.begin(), others.end(), has_kernel);
  if (sources.size() > 1 || (sources.size() == 1 && second_file))
    return base::Failure{fmt::format(
        "Your answer has more than one source; a candidate is one file. {}", whole_form(form))};
  if (sources.size() == 1) return std::string(sources[0]);
  return base::Failure{
      fmt::format("{} {}", no_source_text(text, !blocks.empty(), form), whole_form(form))};
}

base::Result<std::string> edited_source(const Edits& found, const std::string& basis,
                                        const std::vector<FencedBlock>& blocks,
                                        const SourceForm& form) {
  if (basis.empty())
    return base::Failure{
        fmt::format("There is no basis that edits could be applied to. {}", whole_form(form))};
  const bool told = form.kind != SourceForm::Kind::any;  // a source from a snippet
  for (const auto& block : blocks)
    if (told && is_source(block.code, form) &&
        (block.end <= found.begin || block.begin >= found.end))
      return base::Failure{std::string(
          "Your answer has both a whole source and edits of the basis: send one of the two.")};
  auto source = edited(found.edits, without_carriage_returns(basis));
  if (!source) return source;
  if (trimmed(*source) == trimmed(without_carriage_returns(basis)))
    return base::Failure{
        std::string("Your edits change nothing: the source would be the basis itself.")};
  if (told && !is_source(*source, form))
    return base::Failure{
        form.kind == SourceForm::Kind::python
            ? fmt::format("Your edits remove the definition of {}.", form.entry)
            : "Your edits remove the launch plan, the comment that opens with \"/* hone 1\"."};
  return source;
}

// What stands under the heading; without one, what is neither code nor edit.
std::string report_in(std::string_view text, const std::vector<FencedBlock>& blocks,
                      std::size_t heading, const Edits& edits) {
  if (heading != std::string_view::npos) {
    const auto line_end = std::min(text.find('\n', heading), text.size());
    auto report = text.substr(line_end);
    if (edits.end > line_end)
      report = edits.begin > line_end ? text.substr(line_end, edits.begin - line_end) : "";
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

base::Result<Written> parse_written(const llm::Reply& reply, const std::string& basis,
                                    const SourceForm& form) {
  const auto text = without_carriage_returns(reply.text);
  if (trimmed(text).empty())
    return base::Failure{fmt::format("Your answer is empty. {}", whole_form(form))};
  const auto blocks = fenced_blocks(text);
  const auto heading = report_heading(text, blocks);
  const auto edits = edits_in(text);
  if (!edits) return base::Failure{edits.error()};
  auto source = edits->edits.empty() ? whole_source(reply, text, blocks, heading, form)
                                     : edited_source(*edits, basis, blocks, form);
  if (!source) return base::Failure{source.error()};
  if (const int line = elided_line(*source, form); line > 0 && edits->edits.empty())
    return base::Failure{
        fmt::format("Line {} of your source stands for code that is not there. Send the whole "
                    "source, or edits of the basis.",
                    line)};
  if (source->size() > task::largest_source)
    return base::Failure{
        fmt::format("Your source has {} bytes; {} at most.", source->size(), task::largest_source)};
  if (!source->ends_with('\n')) *source += '\n';
  return Written{*std::move(source), report_in(text, blocks, heading, *edits)};
}

}  // namespace hone::agents
