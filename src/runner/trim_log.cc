#include "runner/trim_log.h"

#include <fmt/format.h>

#include <set>
#include <vector>

namespace hone::runner {
namespace {

constexpr std::size_t most_lines = 60, widest = 240;

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    std::string line(text.substr(0, end));
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    if (line.size() > widest) line = line.substr(0, widest) + " …";
    lines.push_back(std::move(line));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

// Resource reports of ptxas are of no use to a reader of errors.
bool is_noise(const std::string& line) {
  return line.starts_with("ptxas info") || line.find("bytes stack frame") != std::string::npos;
}

enum class Kind { error, warning, other };
Kind kind_of(const std::string& line) {
  if (line.find("error") != std::string::npos || line.find("undefined") != std::string::npos) return Kind::error;
  if (line.find("warning") != std::string::npos || line.find("remark") != std::string::npos) return Kind::warning;
  return Kind::other;
}

}  // namespace

std::string trim_log(std::string_view log) {
  // A message is its first line and the lines up to the next one: source, caret, notes.
  std::vector<std::string> errors, rest, repeated;
  std::set<std::string> seen;
  std::vector<std::string>* target = &rest;
  for (const auto& line : lines_of(log)) {
    if (line.empty() || is_noise(line)) continue;
    const Kind kind = kind_of(line);
    if (kind != Kind::other) target = !seen.insert(line).second ? &repeated : kind == Kind::error ? &errors : &rest;
    target->push_back(line);
  }
  errors.insert(errors.end(), rest.begin(), rest.end());
  std::string out;
  for (std::size_t i = 0; i < errors.size() && i < most_lines; ++i) out += errors[i] + "\n";
  if (errors.size() > most_lines) out += fmt::format("… and {} more lines\n", errors.size() - most_lines);
  return out;
}

}  // namespace hone::runner
