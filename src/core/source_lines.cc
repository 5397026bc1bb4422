#include "core/source_lines.h"

namespace hone::core {

std::string_view counted_text(std::string_view source) {
  const auto at = source.find(line_restart);
  if (at == std::string_view::npos || (at > 0 && source[at - 1] != '\n')) return source;
  return source.substr(at + line_restart.size());
}

}  // namespace hone::core
