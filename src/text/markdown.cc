#include "text/markdown.h"

#include <algorithm>

#include "text/format.h"

namespace hone::text {

std::string markdown(std::string_view text) {
  // A paragraph of a model may have several lines; here it is one.
  std::string one_line(text);
  std::replace_if(
      one_line.begin(), one_line.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; },
      ' ');
  std::string out;
  for (const char c : printable(one_line)) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (std::string_view("\\`*_[]|#!~$").find(c) != std::string_view::npos)
      (out += '\\') += c;
    else
      out += c;
  }
  return out;
}

std::string fenced(std::string_view content, std::string_view language) {
  const std::string text = printable_lines(content);
  std::size_t longest = 2, run = 0;
  for (const char c : text) longest = std::max(longest, run = c == '`' ? run + 1 : 0);
  const std::string fence(longest + 1, '`');
  return fence + std::string(language) + "\n" + text +
         (text.ends_with('\n') || text.empty() ? "" : "\n") + fence + "\n";
}

std::string markdown_table(const std::vector<std::string>& titles,
                           const std::vector<std::vector<std::string>>& rows) {
  const auto line = [](const std::vector<std::string>& cells) {
    std::string out = "|";
    for (const auto& cell : cells) out += " " + cell + " |";
    return out + "\n";
  };
  std::string out = line(titles) + line(std::vector<std::string>(titles.size(), "---"));
  for (const auto& row : rows) out += line(row);
  return out;
}

}  // namespace hone::text
