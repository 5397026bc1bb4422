#include "export/templates.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/resources.h"

namespace hone::exports {

std::string joined(const std::vector<std::string>& parts, const std::string& between) {
  return fmt::format("{}", fmt::join(parts, between));
}

std::string filled(const std::string& resource, const Gaps& gaps) {
  const std::string text = base::resource(resource);
  std::string out;
  std::size_t at = 0;
  while (true) {
    const std::size_t open = text.find('@', at);
    if (open == std::string::npos) return out + text.substr(at);
    const std::size_t close = text.find('@', open + 1);
    const auto value = close == std::string::npos
                           ? gaps.end()
                           : gaps.find(text.substr(open + 1, close - open - 1));
    if (value == gaps.end())
      base::fail(base::ExitCode::environment,
                 "the resource {} has a gap that nothing fills, at character {}", resource, open);
    out += text.substr(at, open - at) + value->second;
    at = close + 1;
  }
}

}  // namespace hone::exports
