#include "profile/line_map.h"

#include <algorithm>
#include <charconv>

namespace hone::profile {
namespace {

// `//## File "/tmp/softmax.cu", line 12 inlined at "...", line 20`
struct Mark {
  std::string_view file;
  int line = 0;
};
bool read_mark(std::string_view text, Mark& mark) {
  constexpr std::string_view start = "//## File \"", middle = "\", line ";
  const auto at = text.find(start);
  if (at == std::string_view::npos) return false;
  text.remove_prefix(at + start.size());
  const auto quote = text.find(middle);
  if (quote == std::string_view::npos) return false;
  mark.file = text.substr(0, quote);
  text.remove_prefix(quote + middle.size());
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), mark.line);
  return error == std::errc{} && mark.line > 0;
}

// The compiler puts its working folder before a name that has none.
bool is_own(std::string_view file, std::string_view name) {
  if (name.empty() || !file.ends_with(name)) return false;
  return file.size() == name.size() || file[file.size() - name.size() - 1] == '/';
}

bool read_offset(std::string_view line, std::uint64_t& offset) {
  const auto begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos || !line.substr(begin).starts_with("/*")) return false;
  const char* first = line.data() + begin + 2;
  const auto [end, error] = std::from_chars(first, line.data() + line.size(), offset, 16);
  return error == std::errc{} &&
         std::string_view(end, line.data() + line.size() - end).starts_with("*/");
}

}  // namespace

int LineMap::line_at(std::uint64_t offset) const {
  const auto after =
      std::upper_bound(rows.begin(), rows.end(), offset,
                       [](std::uint64_t at, const Row& row) { return at < row.offset; });
  return after == rows.begin() ? 0 : std::prev(after)->line;
}

// Marks before an instruction are a chain, from where the code was written outward to where it was
// inlined; they count until the next ones.
LineMap parse_line_map(std::string_view text, const std::string& kernel,
                       const std::string& source_name) {
  LineMap map;
  const std::string begins = ".text." + kernel + ":";
  bool inside = false, chain = false;  // chain: the last line was a mark
  int line = 0;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const std::string_view row = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (row.starts_with(".text.")) {
      inside = row == begins;
      chain = false;
      line = 0;
      continue;
    }
    if (!inside) continue;
    Mark mark;
    std::uint64_t offset = 0;
    if (read_mark(row, mark)) {
      if (!chain) line = 0;
      chain = true;
      if (line == 0 && is_own(mark.file, source_name)) line = mark.line;
    } else if (read_offset(row, offset)) {
      chain = false;
      if (map.rows.empty() || (map.rows.back().line != line && map.rows.back().offset < offset))
        map.rows.push_back({offset, line});
    }
  }
  return map;
}

}  // namespace hone::profile
