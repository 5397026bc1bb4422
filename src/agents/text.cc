#include "agents/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace hone::agents {
namespace {

constexpr std::string_view blanks = " \t\r\n\f\v";

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

std::string_view cut(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return text;
  while (limit > 0 && continues_character(text[limit])) --limit;
  return text.substr(0, limit);
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const auto from = text.find_first_not_of(blanks);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(blanks) - from + 1);
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::string without_carriage_returns(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] != '\r' || i + 1 >= text.size() || text[i + 1] != '\n') result += text[i];
  return result;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string shortened(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  constexpr std::size_t near = 200;  // bytes that may be left out to end at a whole line
  auto kept = cut(text, limit);
  if (const auto line = kept.rfind('\n');
      line != std::string_view::npos && kept.size() - line < near)
    kept = kept.substr(0, line);
  return fmt::format("{}\n… ({} more bytes)", kept, text.size() - kept.size());
}

std::string in_one_line(std::string_view text, std::size_t limit) {
  std::string line;
  for (const char c : trimmed(text)) {
    const bool blank = blanks.find(c) != std::string_view::npos;
    if (blank && line.ends_with(' ')) continue;
    line += blank ? ' ' : c;
  }
  std::replace(line.begin(), line.end(), '|', '/');  // a table's own sign
  if (line.size() <= limit) return line;
  return std::string(cut(line, limit)) + "…";
}

std::string fenced(std::string_view code, std::string_view language) {
  std::size_t longest = 2, run = 0;
  for (const char c : code) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  return fmt::format("{}{}\n{}{}{}\n", fence, language, code,
                     code.ends_with('\n') || code.empty() ? "" : "\n", fence);
}

std::string node_id(int number) { return fmt::format("{:05d}", number); }

}  // namespace hone::agents
