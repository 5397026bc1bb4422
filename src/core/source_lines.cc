#include "core/source_lines.h"

namespace hone::core {

std::string_view counted_text(std::string_view source) {
  const auto at = source.find(line_restart);
  if (at == std::string_view::npos || (at > 0 && source[at - 1] != '\n')) return source;
  return source.substr(at + line_restart.size());
}

std::string without_line_restart(std::string_view source) {
  const auto counted = counted_text(source);
  if (counted.size() == source.size()) return std::string(source);
  return std::string(source.substr(0, source.size() - counted.size() - line_restart.size()))
      .append(counted);
}

}  // namespace hone::core
