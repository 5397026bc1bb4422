#include "judge/checker_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "core/source_lines.h"

namespace hone::judge {
namespace {

constexpr int most_lines = 12;
constexpr std::size_t widest = 100, most_places = 6;

int number_at(std::string_view text) {
  int number = 0;
  (void)std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::string_view stripped(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

template <typename Take>
void for_lines(std::string_view text, Take take) {
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    take(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// Where `name` stands as the end of a path, followed by ':' and digits; npos: nowhere from there
// on.
std::size_t find_place(std::string_view text, std::string_view name, std::size_t from = 0) {
  for (auto at = text.find(name, from); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    const auto after = at + name.size();
    const bool begins =
        at == 0 || text[at - 1] == '/' || text[at - 1] == ' ' || text[at - 1] == '(';
    if (begins && after + 1 < text.size() && text[after] == ':' && text[after + 1] >= '0' &&
        text[after + 1] <= '9')
      return at;
  }
  return std::string_view::npos;
}

// "k(float*)+0x90 in /tmp/candidate.cu:12": the line in place of the file.
std::string with_lines(std::string text, const SourceView& source) {
  if (source.name.empty()) return text;
  const auto at = find_place(text, source.name);
  if (at == std::string::npos) return text;
  const auto digits = at + source.name.size() + 1;
  const auto end = std::min(text.find_first_not_of("0123456789", digits), text.size());
  auto begin = at;  // of the path
  while (begin > 0 && text[begin - 1] != ' ') --begin;
  return text.substr(0, begin) +
         line_text(source, number_at(std::string_view(text).substr(digits))) + text.substr(end);
}

// "hone memory 0x7f00 4096 x", as the device prints it for private memory.
std::map<std::string, std::string> allocations_in(std::string_view log) {
  constexpr std::string_view start = "hone memory ";
  std::map<std::string, std::string> names;
  for_lines(log, [&](std::string_view line) {
    if (!line.starts_with(start)) return;
    line.remove_prefix(start.size());
    const auto first = line.find(' '), second = line.find(' ', first + 1);
    if (second == std::string_view::npos) return;
    names[std::string(line.substr(0, first))] = line.substr(second + 1);
  });
  return names;
}

std::string with_names(std::string text, const std::map<std::string, std::string>& names) {
  constexpr std::string_view phrase = "allocation at ";
  const auto at = text.find(phrase);
  if (at == std::string::npos) return text;
  const auto address =
      text.substr(at + phrase.size(), text.find(' ', at + phrase.size()) - at - phrase.size());
  const auto found = names.find(address);
  if (found == names.end()) return text;
  text.replace(at, phrase.size() + address.size(),
               fmt::format("allocation `{}` at {}", found->second, address));
  return text;
}

bool starts_error(std::string_view line) {
  for (const char* start : {"Invalid __", "Error: ", "Misaligned", "Out-of-range", "Warning: Race",
                            "Uninitialized __", "Barrier error", "Divergent thread", "Invalid"})
    if (line.starts_with(start)) return true;
  return false;
}

bool is_ours(std::string_view line) {  // frames of the host's stack, and driver calls
  return line.starts_with("Saved host backtrace") || line.starts_with("Host Frame") ||
         line.starts_with("Device Frame");
}

bool ends_errors(std::string_view line) {
  return line.starts_with("ERROR SUMMARY") || line.starts_with("Program hit") ||
         line.starts_with("RACECHECK SUMMARY") || line.starts_with("LEAK SUMMARY");
}

// What a checker says when it could not look at everything.
bool says_broken(std::string_view line) {
  for (const char* part :
       {"Internal Sanitizer Error", "ut of memory", "racking is disabled",
        "The application may hang", "nsufficient memory", "could not be",
        "Target application terminated before", "OUT_OF_MEMORY", "ailed to allocate"})
    if (line.find(part) != std::string_view::npos) return true;
  return false;
}

// "(3,0,0)" at the front of a text.
std::string_view triple(std::string_view& text) {
  text = stripped(text);
  if (!text.starts_with("(")) return {};
  const auto end = text.find(')');
  if (end == std::string_view::npos) return {};
  const auto found = text.substr(0, end + 1);
  text.remove_prefix(end + 1);
  return found;
}

// "(0,0,0) (0,0,0) (0,0,0) (31,0,0) 32 0x00007fffd32f9b30 candidate.cu 12", perhaps with a mark
// before it.
void take_row(std::string_view line, std::string_view name, std::map<int, StoppedAt>& by_line) {
  std::string_view rest = stripped(line);
  if (rest.starts_with("*")) rest.remove_prefix(1);
  const auto block = triple(rest), thread = triple(rest);
  if (block.empty() || thread.empty()) return;
  while (!triple(rest).empty()) {
  }
  const auto pc = rest.find("0x");
  if (pc == std::string_view::npos) return;
  const int count = number_at(stripped(rest.substr(0, pc)));
  const auto last = stripped(rest).rfind(' ');
  if (count <= 0 || last == std::string_view::npos) return;
  const int at =
      rest.find(name) != std::string_view::npos ? number_at(stripped(rest).substr(last + 1)) : 0;
  StoppedAt& here = by_line[at];
  here.line = at;
  here.threads += count;
  if (here.first.empty()) here.first = fmt::format("thread {} of block {}", thread, block);
}

bool is_race(std::string_view line) {
  return line.starts_with("Error: Race") || line.starts_with("Warning: Race");
}

}  // namespace

std::string line_text(const SourceView& source, int line) {
  std::string_view rest = core::counted_text(source.text), found;
  for (int i = 0; i < line && !rest.empty(); ++i) {
    const auto end = std::min(rest.find('\n'), rest.size());
    found = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  found = stripped(found);
  if (found.empty()) return fmt::format("line {}", line);
  return fmt::format("line {} (`{}{}`)", line, found.substr(0, widest),
                     found.size() > widest ? " …" : "");
}

CheckerReport read_checker_log(std::string_view log, const SourceView& source) {
  constexpr std::string_view mark = "=========";
  CheckerReport report;
  const auto names = allocations_in(log);
  int lines = 0, alike = 0;
  bool inside = false;
  std::string first_line;             // of the error that is being read
  std::set<std::string> places_told;  // an error and its place: every thread may have it
  for_lines(log, [&](std::string_view line) {
    if (!line.starts_with(mark)) return;
    line = stripped(line.substr(mark.size()));
    if (line.find("SUMMARY:") != std::string_view::npos) report.complete = true;
    if (says_broken(line) && report.broken.empty()) report.broken = line;
    // Errors of API calls are ours (asking for one kernel parameter more than there are, say), not
    // the kernel's.
    if (ends_errors(line) || is_ours(line) || line.empty()) {
      if (inside && !first_line.empty() && !is_race(first_line))
        report.errors += (report.errors.empty() ? "" : "; ") + first_line;
      first_line.clear();
      inside = false;
    } else if (starts_error(line)) {
      inside = true;
      first_line = line;
      if (!is_race(line)) return;  // told with its place
    }
    if (inside && line != first_line && !first_line.empty()) {
      if (!places_told.insert(first_line + std::string(line)).second) {
        ++alike;
        inside = false;
        first_line.clear();
        return;
      }
      if (!is_race(first_line)) report.errors += (report.errors.empty() ? "" : "; ") + first_line;
      first_line.clear();
    }
    if (!inside || lines >= most_lines) return;
    report.errors += (report.errors.empty() ? "" : "; ") +
                     with_names(with_lines(std::string(line), source), names);
    ++lines;
  });
  if (inside && !first_line.empty() && report.errors.empty()) report.errors = first_line;
  if (alike > 0) report.errors += fmt::format("; and {} more at the same place", alike);
  if (!report.broken.empty()) report.complete = false;
  return report;
}

std::string sanitizer_errors(const std::string& log) { return read_checker_log(log).errors; }

DumpReport read_dump(std::string_view text, std::string_view source_name) {
  DumpReport dump;
  std::map<int, StoppedAt> by_line;
  for_lines(text, [&](std::string_view line) {
    constexpr std::string_view raised = "CUDA Exception: ";
    if (const auto at = line.find(raised); at != std::string_view::npos && dump.exception.empty())
      dump.exception = stripped(line.substr(at + raised.size()));
    if (line.find("Current focus") != std::string_view::npos ||
        line.find("Switching focus") != std::string_view::npos) {
      const auto block = line.find("block ("), thread = line.find("thread (");
      if (block != std::string_view::npos && thread != std::string_view::npos && dump.place.empty())
        dump.place = fmt::format("{}) of {})", line.substr(thread, line.find(')', thread) - thread),
                                 line.substr(block, line.find(')', block) - block));
    }
    const bool frame =
        line.starts_with("#0") || line.find("exception was triggered at") != std::string_view::npos;
    if (const auto at = frame ? find_place(line, source_name) : std::string_view::npos;
        at != std::string_view::npos && dump.line == 0)
      dump.line = number_at(line.substr(at + source_name.size() + 1));
    if (const auto from = line.find("inlined from ");
        frame && from != std::string_view::npos && dump.inlined_from == 0)
      if (const auto at = find_place(line, source_name, from); at != std::string_view::npos)
        dump.inlined_from = number_at(line.substr(at + source_name.size() + 1));
    if (line.starts_with("#0") && dump.kernel.empty()) {
      const auto end = line.find("<<<");
      const auto begin = line.rfind(' ', end);
      if (end != std::string_view::npos && begin != std::string_view::npos)
        dump.kernel = line.substr(begin + 1, end - begin - 1);
    }
    take_row(line, source_name, by_line);
  });
  for (auto& [line, stopped] : by_line) dump.stopped.push_back(std::move(stopped));
  std::stable_sort(dump.stopped.begin(), dump.stopped.end(),
                   [](const StoppedAt& a, const StoppedAt& b) { return a.threads > b.threads; });
  return dump;
}

std::string to_text(const DumpReport& dump, const SourceView& source) {
  std::string text;
  if (!dump.exception.empty() || dump.line > 0)
    text =
        fmt::format("{}{}{}{}", dump.exception.empty() ? "it stood" : dump.exception,
                    dump.line > 0 ? " at " + line_text(source, dump.line) +
                                        (dump.inlined_from > 0 && dump.inlined_from != dump.line
                                             ? ", called in " + line_text(source, dump.inlined_from)
                                             : "")
                                  : "",
                    dump.kernel.empty() ? "" : " in " + dump.kernel,
                    dump.place.empty() ? "" : ", " + dump.place);
  std::string places;
  for (std::size_t i = 0; i < dump.stopped.size() && i < most_places; ++i) {
    const StoppedAt& one = dump.stopped[i];
    places += fmt::format(
        "{}{} at {} ({} first)", places.empty() ? "" : "; ",
        one.threads == 1 ? "1 thread" : fmt::format("{} threads", one.threads),
        one.line > 0 ? line_text(source, one.line) : "code that is not the source's own",
        one.first);
  }
  if (!places.empty())
    text += (text.empty() ? "" : ". ") + fmt::format("Where threads stood: {}", places);
  return text;
}

}  // namespace hone::judge
