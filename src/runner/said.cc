#include "runner/said.h"

#include <fmt/format.h>

#include "base/printable.h"

namespace hone::runner {
namespace {

constexpr const char* mark = "\n    | ";

// The beginning says what happened where, the end why.
std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  const std::size_t part = most / 2;
  return fmt::format("{}\n... ({} bytes are left out)\n{}", text.substr(0, part),
                     text.size() - 2 * part, text.substr(text.size() - part));
}

}  // namespace

std::string marked(std::string_view text, std::size_t most) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  const std::string shown = base::printable_lines(shortened(text, most));
  if (shown.find('\n') == std::string::npos) return " " + shown;
  std::string lines = mark;
  for (const char one : shown) {
    if (one == '\n')
      lines += mark;
    else
      lines += one;
  }
  return lines;
}

std::string said(std::string_view speaker, std::string_view text, std::size_t most) {
  return speaker.empty() ? std::string(text)
                         : fmt::format("{} says:{}", speaker, marked(text, most));
}

}  // namespace hone::runner
