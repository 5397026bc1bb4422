
#include "llm/client.h"

#include "base/json.h"

namespace hone::llm {
namespace {

// Characters that may be looked at before the search stops: a text of braces alone would take
// the square of its length.
constexpr std::size_t most_work = std::size_t{64} << 20;

// One past the brace that closes the one at `from`, strings taken into account; npos: none does.
std::size_t end_of_object(const std::string& text, std::size_t from) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = from; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth == 0) {
      return i + 1;
    }
  }
  return std::string::npos;
}

}  // namespace

std::optional<std::string> json_in(const Reply& reply) {
  if (!reply.arguments.empty()) return reply.arguments;
  std::optional<std::string> last;
  std::size_t work = 0;
  for (std::size_t i = reply.text.find('{'); i != std::string::npos && work < most_work;) {
    const std::size_t end = end_of_object(reply.text, i);
    work += (end == std::string::npos ? reply.text.size() : end) - i;
    if (end != std::string::npos &&
        base::is_json(std::string_view(reply.text).substr(i, end - i))) {
      last = reply.text.substr(i, end - i);
      i = reply.text.find('{', end);
    } else {
      i = reply.text.find('{', i + 1);
    }
  }
  return last;
}

}  // namespace hone::llm
