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

// C7510 to C7520: wgmma that is serialised, or that the compiler had to wait for. Nothing else in a
// log costs as much.
bool is_about_wgmma(const std::string& line) {
  return line.starts_with("ptxas info") &&
         (line.find("(C751") != std::string::npos || line.find("(C7520)") != std::string::npos);
}

// Resource reports of ptxas are of no use to a reader of errors.
bool is_noise(const std::string& line) {
  return (line.starts_with("ptxas info") && !is_about_wgmma(line)) ||
         line.find("bytes stack frame") != std::string::npos ||
         line.starts_with("Remark: The warnings can be");
}

enum class Kind { error, warning, other };
Kind kind_of(const std::string& line) {
  if (line.find("error") != std::string::npos || line.find("undefined") != std::string::npos)
    return Kind::error;
  if (line.find("warning") != std::string::npos || line.find("remark") != std::string::npos ||
      is_about_wgmma(line))
    return Kind::warning;
  return Kind::other;
}

// `/usr/local/cuda/include/cooperative_groups.h(123): warning ...`, `header.h:12:3: warning: ...`
bool is_of_another_file(const std::string& line, std::string_view own) {
  const auto at = line.find(": warning");
  if (own.empty() || at == std::string::npos) return false;
  const std::string_view place = std::string_view(line).substr(0, at);
  std::string_view file = place.substr(0, place.find_first_of("(:"));
  if (file.empty()) return false;
  if (!file.ends_with(own)) return true;
  return file.size() != own.size() && file[file.size() - own.size() - 1] != '/';
}

}  // namespace

std::string trim_log(std::string_view log, std::string_view own) {
  // A message is its first line and the lines up to the next one: source, caret, notes.
  std::vector<std::string> errors, rest, dropped;
  std::set<std::string> seen;
  std::vector<std::string>* target = &rest;
  for (const auto& line : lines_of(log)) {
    if (line.empty() || is_noise(line)) continue;
    const Kind kind = kind_of(line);
    if (kind != Kind::other)
      target = !seen.insert(line).second || (kind == Kind::warning && is_of_another_file(line, own))
                   ? &dropped
               : kind == Kind::error ? &errors
                                     : &rest;
    target->push_back(line);
  }
  errors.insert(errors.end(), rest.begin(), rest.end());
  std::string out;
  for (std::size_t i = 0; i < errors.size() && i < most_lines; ++i) out += errors[i] + "\n";
  if (errors.size() > most_lines)
    out += fmt::format("… and {} more lines\n", errors.size() - most_lines);
  return out;
}

std::string trim_stack(std::string_view log) {
  constexpr std::string_view frame = "  File \"", candidates = "/tmp/candidate/";
  std::string out;
  while (!log.empty()) {
    const auto end = std::min(log.find('\n'), log.size() - 1) + 1;
    std::string line(log.substr(0, end));
    log.remove_prefix(end);
    if (!line.starts_with(frame)) continue;
    const std::string_view file = std::string_view(line).substr(frame.size());
    if (file.starts_with("/tmp/hone/") || file.starts_with("<frozen ")) continue;
    if (file.starts_with(candidates)) line.erase(frame.size(), candidates.size());
    out += line;
  }
  return out;
}

}  // namespace hone::runner
