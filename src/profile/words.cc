#include "profile/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/source_lines.h"
#include "profile/limits.h"

namespace hone::profile {
namespace {

constexpr std::size_t most_lines = 3;     // named in one sentence
constexpr std::size_t longest_text = 72;  // of a source line that is quoted
constexpr double least_of_reason =
    0.1;  // of the reason's samples: a line with fewer is not where it happens

std::string quoted(std::string text) {
  const auto begin = text.find_first_not_of(" \t");
  text = begin == std::string::npos
             ? ""
             : text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
  std::replace(text.begin(), text.end(), '`', '\'');
  std::size_t length = std::min(text.size(), longest_text);
  while (length < text.size() && length > 0 &&
         (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80)
    --length;
  return text.size() > length ? text.substr(0, length) + "..." : text;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i)
    text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
  return text;
}

SourcePlace place_of(const Facts& facts, const std::vector<std::pair<int, std::string>>& found) {
  SourcePlace place;
  std::vector<std::string> parts;
  for (const auto& [line, text] : found) {
    place.lines.push_back(line);
    parts.push_back(text.empty() ? fmt::format("line {}", line)
                                 : fmt::format("line {} (`{}`)", line, quoted(text)));
  }
  place.text = parts.empty() ? "in " + kernel_name(facts) : "at " + joined(parts);
  return place;
}

// The source by lines, with comments blanked so that words in them are not found.
struct Code {
  std::string text;
  std::vector<std::string_view> lines;  // of the text
};
void blank(std::string& text, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i)
    if (text[i] != '\n') text[i] = ' ';
}
Code code_of(const std::string& source) {
  Code code{std::string(core::counted_text(source)), {}};
  std::string& text = code.text;
  for (auto at = text.find('/'); at != std::string::npos; at = text.find('/', at + 1)) {
    const char next = at + 1 < text.size() ? text[at + 1] : ' ';
    if (next != '/' && next != '*') continue;
    const auto end = next == '/' ? text.find('\n', at) : text.find("*/", at + 2);
    blank(text, at, end == std::string::npos ? text.size() : next == '/' ? end : end + 2);
  }
  for (std::size_t at = 0; at <= text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    code.lines.push_back(std::string_view(text).substr(at, end - at));
    at = end + 1;
  }
  return code;
}

bool is_name(char c) { return (std::isalnum(static_cast<unsigned char>(c)) != 0) || c == '_'; }

// A word is found whole: "exp" is not in "exponent", but "exp(" may be asked for.
bool has_word(std::string_view line, std::string_view word) {
  for (auto at = line.find(word); at != std::string_view::npos; at = line.find(word, at + 1)) {
    const bool begins = at == 0 || !is_name(word.front()) || !is_name(line[at - 1]);
    const auto end = at + word.size();
    if (begins && (end == line.size() || !is_name(word.back()) || !is_name(line[end]))) return true;
  }
  return false;
}

// Without what stands in the parentheses of a `for`: counting on is not what a loop is for.
std::string without_header(std::string_view line) {
  std::string text(line);
  if (!has_word(line, "for")) return text;
  const auto open = text.find('(', text.find("for"));
  int depth = 0;
  for (auto i = open; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0) break;
    text[i] = ' ';
  }
  return text;
}

// The lines of the kernel's definition, first and one past the last; all of them where it is not
// found.
std::pair<std::size_t, std::size_t> body_of(const std::vector<std::string_view>& lines,
                                            const std::string& kernel) {
  for (std::size_t i = 0; !kernel.empty() && i < lines.size(); ++i) {
    if (!has_word(lines[i], kernel)) continue;
    int depth = 0;
    for (std::size_t j = i; j < lines.size(); ++j)
      for (const char c : lines[j]) {
        if (c == ';' && depth == 0) {
          j = lines.size();  // a declaration or a call
          break;
        }
        depth += c == '{' ? 1 : c == '}' ? -1 : 0;
        if (c == '}' && depth == 0) return {i, j + 1};
      }
  }
  return {0, lines.size()};
}

}  // namespace

std::string times(double ratio) { return fmt::format("{:.1f} times", ratio); }

std::string bytes_text(double bytes) {
  constexpr std::array units{"bytes", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < units.size(); ++unit) bytes /= 1024;
  return unit == 0 ? fmt::format("{:.0f} bytes", bytes)
                   : fmt::format("{:.3g} {}", bytes, units[unit]);
}

std::string count_text(double count) {
  if (count < 1e6) return fmt::format("{:.0f}", count);
  return count < 1e9 ? fmt::format("{:.3g} million", count / 1e6)
                     : fmt::format("{:.4g} billion", count / 1e9);
}

std::string seconds_text(double seconds) {
  if (seconds < 1e-6) return fmt::format("{:.3g} ns", seconds * 1e9);
  if (seconds < 1e-3) return fmt::format("{:.3g} µs", seconds * 1e6);
  return seconds < 1 ? fmt::format("{:.3g} ms", seconds * 1e3) : fmt::format("{:.3g} s", seconds);
}

SourcePlace where_stalled(const Facts& facts, const std::vector<std::string_view>& reasons) {
  std::vector<std::pair<double, const LineSamples*>> lines;
  double total = 0;
  for (const auto& line : facts.lines) {
    if (facts.launch && line.launch && *line.launch != *facts.launch) continue;
    double samples = reasons.empty() ? line.samples : 0;
    for (const auto& [reason, count] : line.stalls)
      if (std::find(reasons.begin(), reasons.end(), reason) != reasons.end()) samples += count;
    total += samples;
    if (line.line > 0 && samples > 0) lines.emplace_back(samples, &line);
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::pair<int, std::string>> found;
  for (const auto& [samples, line] : lines)
    if (found.size() < most_lines && samples >= least_of_reason * total)
      found.emplace_back(line->line, line->text);
  return place_of(facts, found);
}

SourcePlace where_written(const Facts& facts, const std::vector<std::string_view>& words) {
  if (facts.candidate == nullptr) return place_of(facts, {});
  const auto code = code_of(facts.candidate->source);
  const auto& lines = code.lines;
  const auto [first, last] = body_of(lines, facts.kernel);
  std::vector<std::pair<int, std::string>> found;
  const auto look = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end && found.size() < most_lines; ++i)
      if (std::any_of(words.begin(), words.end(),
                      [&](std::string_view word) { return has_word(lines[i], word); }))
        found.emplace_back(static_cast<int>(i) + 1, std::string(lines[i]));
  };
  look(first, last);
  if (found.empty()) look(0, lines.size());
  return place_of(facts, found);
}

SourcePlace where(const Facts& facts, const std::vector<std::string_view>& reasons,
                  const std::vector<std::string_view>& words) {
  auto place = where_stalled(facts, reasons);
  return place.lines.empty() ? where_written(facts, words) : place;
}

SourcePlace where_hot(const Facts& facts, const std::vector<std::string_view>& words) {
  if (facts.candidate == nullptr) return place_of(facts, {});
  const auto code = code_of(facts.candidate->source);
  std::vector<std::pair<double, int>> all, wanted;
  for (const auto& line : facts.lines) {
    if (facts.launch && line.launch && *line.launch != *facts.launch) continue;
    if (line.code <= 0 || line.line < 1 || static_cast<std::size_t>(line.line) > code.lines.size())
      continue;
    const auto text = without_header(code.lines[static_cast<std::size_t>(line.line) - 1]);
    all.emplace_back(line.code, line.line);
    if (line.code >= least_of_reason &&
        std::any_of(words.begin(), words.end(),
                    [&](std::string_view word) { return has_word(text, word); }))
      wanted.emplace_back(line.code, line.line);
  }
  auto& chosen = wanted.empty() ? all : wanted;
  std::stable_sort(chosen.begin(), chosen.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::pair<int, std::string>> found;
  for (const auto& [part, line] : chosen)
    if (found.size() < most_lines && (part >= least_of_reason || found.empty()))
      found.emplace_back(line, std::string(code.lines[static_cast<std::size_t>(line) - 1]));
  return place_of(facts, found);
}

std::string_view word_in(const Facts& facts, const SourcePlace& place,
                         const std::vector<std::string_view>& words) {
  if (facts.candidate == nullptr) return "";
  const auto code = code_of(facts.candidate->source);
  const auto& lines = code.lines;
  for (const int line : place.lines)
    for (const auto word : words)
      if (static_cast<std::size_t>(line) <= lines.size() &&
          has_word(lines[static_cast<std::size_t>(line) - 1], word))
        return word;
  return "";
}

std::string kernel_name(const Facts& facts) {
  return facts.kernel.empty() ? "the call" : fmt::format("kernel `{}`", facts.kernel);
}

std::string block_text(const Facts& facts) {
  const double threads = threads_of(facts);
  if (facts.candidate != nullptr && facts.launch &&
      static_cast<std::size_t>(*facts.launch) < facts.candidate->plan.launches.size()) {
    std::vector<std::string> parts;
    for (const auto& part :
         facts.candidate->plan.launches[static_cast<std::size_t>(*facts.launch)].block)
      parts.push_back('"' + part.expr.text() + '"');
    if (!parts.empty())
      return fmt::format("block = [{}] ({:.0f} threads)", fmt::join(parts, ", "), threads);
  }
  return fmt::format("the block of {:.0f} threads", threads);
}

std::string tunables_text(const Facts& facts) {
  if (facts.candidate == nullptr || facts.candidate->plan.tunables.empty()) return "";
  std::vector<std::string> names;
  for (const auto& tunable : facts.candidate->plan.tunables)
    names.push_back("`" + tunable.name + "`");
  return (names.size() == 1 ? "the tunable " : "the tunables ") + joined(names);
}

core::Advice advise(const Facts& facts, std::string_view tool, std::string title) {
  core::Advice advice;
  advice.tool = tool;
  advice.title = std::move(title);
  advice.launch = facts.launch;
  return advice;
}

core::Advice advise(const Facts& facts, std::string_view tool, std::string title,
                    const SourcePlace& place) {
  auto advice = advise(facts, tool, std::move(title));
  advice.lines = place.lines;
  return advice;
}

}  // namespace hone::profile
