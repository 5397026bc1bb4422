#include "task/plan_comment.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace hone::task {
namespace {

constexpr std::size_t longest_plan = 64u << 10;  // characters; real plans have a few hundred
constexpr int newest_version = 1;

base::Position position_of(std::string_view source, std::size_t offset) {
  const auto before = source.substr(0, offset);
  const auto start = before.rfind('\n') + 1;  // npos + 1 is 0
  return {static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1,
          static_cast<int>(offset - start) + 1};
}

// The first comment, not looking into string literals; npos if there is none.
std::size_t first_comment(std::string_view source) {
  for (std::size_t i = 0; i + 1 < source.size(); ++i) {
    if (source[i] == '/' && (source[i + 1] == '*' || source[i + 1] == '/')) return i;
    if (source[i] != '"') continue;
    for (++i; i < source.size() && source[i] != '"' && source[i] != '\n'; ++i)
      if (source[i] == '\\') ++i;
  }
  return std::string_view::npos;
}

std::string_view trim_blanks(std::string_view text) {
  while (!text.empty() && std::string_view(" \t\r").find(text.front()) != std::string_view::npos)
    text.remove_prefix(1);
  while (!text.empty() && std::string_view(" \t\r").find(text.back()) != std::string_view::npos)
    text.remove_suffix(1);
  return text;
}

// Whether a comment's text opens with the word hone.
bool is_header(std::string_view comment) {
  const auto text = trim_blanks(comment);
  return text.starts_with("hone") &&
         (text.size() == 4 || std::string_view(" \t\r\n*").find(text[4]) != std::string_view::npos);
}

// The first comment that opens like a plan, wherever it stands; npos if there is none.
std::size_t plan_place(std::string_view source) {
  auto at = source.find("/*");
  while (at != std::string_view::npos && !is_header(source.substr(at + 2, 64)))
    at = source.find("/*", at + 2);
  return at;
}

// The rest of the file may hold a plan that was put too late: say so.
void complain_missing(std::string_view source, std::size_t comment, Complaints& complaints) {
  const auto late = plan_place(source);
  if (comment != std::string_view::npos && late != std::string_view::npos) {
    const auto first = position_of(source, comment);
    return complaints.add(
        position_of(source, late),
        fmt::format("the plan must be the first comment of the file, but there is one in line {}",
                    first.line));
  }
  complaints.add({1, 1}, fmt::format("there is no launch plan: {}", plan_form));
}

bool good_version(std::string_view header, base::Position at, Complaints& complaints) {
  const auto words = trim_blanks(trim_blanks(header).substr(4));  // behind "hone"
  int version = 0;
  const auto [end, ec] = std::from_chars(words.data(), words.data() + words.size(), version);
  if (words.empty() || ec != std::errc())
    complaints.add(at, fmt::format("the version of the plan is missing: {}", plan_form));
  else if (end != words.data() + words.size())
    complaints.add(at, "the plan starts on the line below \"/* hone 1\"");
  else if (version > newest_version)
    complaints.add(
        at, fmt::format("the plan is of version {}, newer than this hone knows ({}): update hone",
                        version, newest_version));
  else if (version < 1)
    complaints.add(at, fmt::format("there is no plan version {}: write \"/* hone 1\"", version));
  else
    return true;
  return false;
}

}  // namespace

bool has_plan(std::string_view source) { return plan_place(source) != std::string_view::npos; }

std::optional<PlanComment> find_plan(std::string_view source, Complaints& complaints) {
  const auto begin = first_comment(source);
  if (begin == std::string_view::npos || source[begin + 1] != '*' ||
      !is_header(source.substr(begin + 2, 64))) {
    complain_missing(source, begin, complaints);
    return std::nullopt;
  }
  const auto at = position_of(source, begin);
  const auto close = source.find("*/", begin + 2);
  if (close == std::string_view::npos) {
    complaints.add(at, "the comment with the plan is not closed: it ends with */");
    return std::nullopt;
  }
  if (close - begin > longest_plan) {
    complaints.add(
        at, fmt::format("the plan has {} characters; {} at most", close - begin, longest_plan));
    return std::nullopt;
  }
  const auto line_end = std::min(source.find('\n', begin), close);
  if (!good_version(source.substr(begin + 2, line_end - begin - 2), at, complaints))
    return std::nullopt;
  const auto start = std::min(line_end + 1, close);
  return PlanComment{source.substr(start, close - start), line_end == close ? at.line - 1 : at.line,
                     begin, close + 2};
}

SourceParts source_parts(const std::string& source) {
  Complaints unread("");
  const auto plan = find_plan(source, unread);
  if (!plan) return {"", source};
  const std::size_t code = source.find_first_not_of("\r\n", plan->end);
  return {source.substr(plan->begin, plan->end - plan->begin),
          source.substr(0, plan->begin) + (code == std::string::npos ? "" : source.substr(code))};
}

}  // namespace hone::task
