#pragma once
// toml++, compiled once for all modules that read TOML. Heavy, so only .cc files and headers inside
// one module include it.
#include <toml++/toml.h>

#include <optional>
#include <string_view>

namespace hone::base {

// Nothing where the parser itself stumbled: toml++ 3.3 asserts, of some malformed texts, what is
// not so ("[ !").
std::optional<toml::parse_result> parse_toml(std::string_view text);

}  // namespace hone::base
