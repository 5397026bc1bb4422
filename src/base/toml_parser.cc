// toml++ 3.3 asserts, of some malformed texts, what is not so ("[ !"): an abort, or with NDEBUG
// undefined behaviour. Here it becomes a value.
#undef NDEBUG
namespace hone::base {
struct BrokenAssumption {};
[[noreturn]] static void broken_assumption() { throw BrokenAssumption{}; }
}  // namespace hone::base
#define TOML_ASSERT(condition) ((condition) ? void(0) : hone::base::broken_assumption())
#define TOML_IMPLEMENTATION
#include "base/toml_parser.h"

namespace hone::base {

std::optional<toml::parse_result> parse_toml(std::string_view text) {
  try {
    return toml::parse(text);
  } catch (const BrokenAssumption&) {
    return std::nullopt;
  }
}

}  // namespace hone::base
