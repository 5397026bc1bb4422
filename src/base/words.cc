#include "base/words.h"

#include <fmt/format.h>

#include <cctype>

namespace hone::base {

std::string counted(std::int64_t count, std::string_view singular) {
  const bool hisses =
      singular.ends_with("s") || singular.ends_with("x") || singular.ends_with("ch");
  return fmt::format("{} {}{}", count, singular, count == 1 ? "" : hisses ? "es" : "s");
}

std::string normalized(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isspace(byte) == 0)
      out += static_cast<char>(std::tolower(byte));
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  while (!out.empty() && (out.back() == ' ' || out.back() == '.')) out.pop_back();
  return out;
}

}  // namespace hone::base
