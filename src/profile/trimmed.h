#pragma once
// A line of a tool's output without the space around it.
#include <string_view>

namespace hone::profile {

inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view space = " \t\r";
  const auto begin = text.find_first_not_of(space);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(space) - begin + 1);
}

}  // namespace hone::profile
