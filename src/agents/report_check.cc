#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "agents/answers.h"
#include "agents/text.h"

namespace hone::agents {
namespace {

constexpr std::size_t most_objections = 8;

bool has_word(std::string_view text, std::string_view word) {
  for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const auto end = at + word.size();
    if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end])))
      return true;
  }
  return false;
}

// The identifier that a quoted piece of code is about: `tile`, `load_tile()`, `BLOCK = 256`,
// `sum[4]`. "": it is about something else (an instruction, an expression, a type of the language).
std::string_view name_in(std::string_view quoted) {
  quoted = trimmed(quoted);
  if (quoted.empty() || std::isdigit(static_cast<unsigned char>(quoted.front()))) return {};
  std::size_t end = 0;
  while (end < quoted.size() && is_word(quoted[end])) ++end;
  const auto rest = trimmed(quoted.substr(end));
  const bool plain =
      rest.empty() || rest.front() == '(' || rest.front() == '[' || rest.front() == '=';
  return plain ? quoted.substr(0, end) : std::string_view();
}

// A module of Python begins a line with an import; a kernel's source has none.
bool is_python(std::string_view source) {
  for (const auto line : lines_of(source))
    if (line.starts_with("import ") || line.starts_with("from ")) return true;
  return false;
}

// Without blanks and whole lines of comment. Blanks matter to Python and `#` to the CUDA in its
// texts, but an answer that changes nothing else changes nothing.
std::string python_essence(std::string_view source) {
  std::string out;
  for (const auto line : lines_of(source)) {
    const auto text = trimmed(line);
    if (text.starts_with("# ") || text == "#") continue;
    for (const char c : text)
      if (std::isspace(static_cast<unsigned char>(c)) == 0) out += c;
  }
  return out;
}

// Without comments and blanks: what a compiler sees of it, nearly.
std::string essence(std::string_view source) {
  if (is_python(source)) return python_essence(source);  // where `//` divides
  std::string out;
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source.substr(i, 2) == "//") {
      i = std::min(source.find('\n', i), source.size());
    } else if (source.substr(i, 2) == "/*" &&
               !trimmed(source.substr(i + 2, 40)).starts_with("hone")) {
      i = std::min(source.find("*/", i + 2), source.size() - 1) + 1;
    } else if (std::isspace(static_cast<unsigned char>(source[i])) == 0) {
      out += source[i];
    }
  }
  return out;
}

}  // namespace

std::vector<std::string> check_report(const std::string& report, const std::string& basis,
                                      const std::string& source) {
  std::vector<std::string> objections;
  if (!basis.empty() && trimmed(basis) == trimmed(source))
    objections.emplace_back("The source is its basis, unchanged.");
  else if (!basis.empty() && essence(basis) == essence(source))
    objections.emplace_back("The source differs from its basis in comments and blanks only.");
  if (trimmed(report).empty()) objections.emplace_back("There is no report.");
  std::vector<std::string_view> named;
  for (auto open = report.find('`'); open != std::string::npos;) {
    const auto close = report.find('`', open + 1);
    if (close == std::string::npos) break;
    const auto name = name_in(std::string_view(report).substr(open + 1, close - open - 1));
    if (!name.empty() && std::find(named.begin(), named.end(), name) == named.end())
      named.push_back(name);
    open = report.find('`', close + 1);
  }
  for (const auto name : named)
    if (!has_word(source, name) && !has_word(basis, name) && objections.size() < most_objections)
      objections.push_back(
          fmt::format("The report names `{}`, which neither the source nor its basis has.",
                      in_one_line(name, 80)));
  return objections;
}

bool changes_nothing(const std::string& basis, const std::string& source) {
  return essence(basis) == essence(source);
}

std::optional<std::vector<std::string>> followed_in(const std::string& report) {
  for (const auto line : lines_of(report)) {
    std::string text = lower(line);
    std::erase_if(text, [](char c) { return c == '*' || c == '`' || c == '-'; });
    const auto said = trimmed(text);
    if (!said.starts_with("followed:")) continue;
    std::vector<std::string> ids;
    std::string id;
    for (const char c : std::string(said.substr(9)) + ",") {
      if (is_word(c)) {
        id += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
      } else if (!id.empty()) {
        const bool is_id = id.size() > 1 && id[0] == 'A' && std::isdigit(id[1]) != 0;
        if (is_id) ids.push_back(id);
        id.clear();
      }
    }
    return ids;
  }
  return std::nullopt;
}

std::optional<double> credit_for_each(std::optional<double> gain,
                                      const std::vector<std::string>& cited,
                                      const std::string& report, const std::string& basis,
                                      const std::string& source) {
  if (!gain || cited.empty() || changes_nothing(basis, source)) return std::nullopt;
  const auto followed = followed_in(report);
  if (!followed) return cited.size() == 1 ? gain : std::nullopt;
  for (const std::string& id : cited)
    if (std::find(followed->begin(), followed->end(), id) == followed->end()) return std::nullopt;
  return *gain / static_cast<double>(std::max(cited.size(), followed->size()));
}

}  // namespace hone::agents
