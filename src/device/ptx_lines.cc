#include "device/ptx_lines.h"

#include <charconv>
#include <map>
#include <vector>

namespace hone::device {
namespace {

constexpr std::string_view phrase = "around line ";

int number_at(std::string_view text) {
  int number = 0;
  (void)std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::string_view next_word(std::string_view& text) {
  const auto begin = text.find_first_not_of(" \t,");
  if (begin == std::string_view::npos) return text = {};
  text.remove_prefix(begin);
  const auto word = text.substr(0, text.find_first_of(" \t,"));
  text.remove_prefix(word.size());
  return word;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// The numbers of the files whose name is the source's (`.file 1 "/tmp/candidate.cu"`).
std::map<int, bool> own_files(const std::vector<std::string_view>& lines, std::string_view name) {
  std::map<int, bool> own;
  for (std::string_view line : lines) {
    if (next_word(line) != ".file") continue;
    const int number = number_at(next_word(line));
    const auto begin = line.find('"'), end = line.rfind('"');
    if (begin == end) continue;
    const std::string_view file = line.substr(begin + 1, end - begin - 1);
    own[number] = file.ends_with(name) &&
                  (file.size() == name.size() || file[file.size() - name.size() - 1] == '/');
  }
  return own;
}

// Of `.loc 2 120 3, function_name $L, inlined_at 1 30 5`: the first place in a file of the source's
// own.
int own_line(std::string_view loc, const std::map<int, bool>& own) {
  while (!loc.empty()) {
    const int file = number_at(next_word(loc)), line = number_at(next_word(loc));
    if (const auto found = own.find(file); found != own.end() && found->second) return line;
    const auto outer = loc.find("inlined_at ");
    if (outer == std::string_view::npos) return 0;
    loc.remove_prefix(outer + std::string_view("inlined_at ").size());
  }
  return 0;
}

}  // namespace

bool names_ptx_lines(std::string_view log) { return log.find(phrase) != std::string_view::npos; }

std::string with_source_lines(std::string_view log, std::string_view ptx,
                              std::string_view source_name) {
  const auto lines = lines_of(ptx);
  const auto own = own_files(lines, source_name);
  std::vector<int> source(lines.size() + 1, 0);  // by line of the PTX, from 1
  int now = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string_view line = lines[i];
    if (next_word(line) == ".loc") now = own_line(line, own);
    source[i + 1] = now;
  }
  std::string out;
  while (true) {
    const auto at = log.find(phrase);
    if (at == std::string_view::npos) return out += log;
    std::string_view rest = log.substr(at + phrase.size());
    const auto digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
    const auto number = static_cast<std::size_t>(number_at(rest));
    const int line = number < source.size() ? source[number] : 0;
    out += log.substr(0, at);
    out += line > 0 ? "near " + std::string(source_name) + "(" + std::to_string(line) + ")"
                    : "near line " + std::to_string(number) + " of the PTX";
    log = rest.substr(digits);
  }
}

}  // namespace hone::device
