#include "base/diagnostic.h"

#include <fmt/format.h>

namespace hone::base {
namespace {

// Longer lines are cut round the caret: a hostile file may have one line of megabytes.
constexpr std::size_t widest_line = 160;

std::string_view nth_line(std::string_view text, int wanted) {
  for (int line = 1; line < wanted; ++line) {
    const auto end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find('\n'));
}

std::string printable(std::string_view line) {
  std::string out(line);
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  return out;
}

}  // namespace

std::string render(const Diagnostic& diagnostic, std::string_view text) {
  std::string out = diagnostic.file;
  if (diagnostic.at.line > 0) out += fmt::format(":{}", diagnostic.at.line);
  if (diagnostic.at.line > 0 && diagnostic.at.column > 0)
    out += fmt::format(":{}", diagnostic.at.column);
  out += (out.empty() ? "" : ": ") + diagnostic.message;
  if (diagnostic.at.line <= 0 || diagnostic.at.column <= 0) return out;
  std::string_view line = nth_line(text, diagnostic.at.line);
  std::size_t caret = static_cast<std::size_t>(diagnostic.at.column) - 1;
  if (line.empty() || caret > line.size()) return out;
  if (line.size() > widest_line) {
    const std::size_t from = caret > widest_line / 2 ? caret - widest_line / 2 : 0;
    line = line.substr(from, widest_line);
    caret -= from;
  }
  return out + fmt::format("\n  {}\n  {}^", printable(line), std::string(caret, ' '));
}

std::string render(const std::vector<Diagnostic>& diagnostics, std::string_view text) {
  std::string out;
  for (const auto& diagnostic : diagnostics)
    out += (out.empty() ? "" : "\n") + render(diagnostic, text);
  return out;
}

}  // namespace hone::base
