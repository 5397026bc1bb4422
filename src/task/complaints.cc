#include "task/complaints.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "core/plan.h"

namespace hone::task {
namespace {

constexpr std::size_t most_complaints =
    100;  // enough to read, and a hostile file could cause a million
constexpr std::size_t longest_quotation = 60;  // characters of the task's text in one message

// Words that mean something in C, C++, CUDA or OpenCL C: a macro or parameter of that name would
// break the source around it.
const std::set<std::string_view> keywords = {
    "alignas",  "alignof",  "asm",      "auto",    "bool",      "break",     "case",
    "catch",    "char",     "class",    "const",   "constant",  "constexpr", "continue",
    "decltype", "default",  "defined",  "delete",  "do",        "double",    "else",
    "enum",     "explicit", "export",   "extern",  "false",     "float",     "for",
    "friend",   "generic",  "global",   "goto",    "half",      "if",        "inline",
    "int",      "kernel",   "local",    "long",    "mutable",   "namespace", "new",
    "noexcept", "nullptr",  "operator", "private", "protected", "public",    "register",
    "restrict", "return",   "short",    "signed",  "sizeof",    "static",    "struct",
    "switch",   "template", "this",     "throw",   "true",      "try",       "typedef",
    "typeid",   "typename", "uchar",    "uint",    "ulong",     "union",     "unsigned",
    "ushort",   "using",    "virtual",  "void",    "volatile",  "while",     "xor",
    "main"};
const std::set<std::string_view> expression_words = {"and", "or",       "not",      "min",
                                                     "max", "ceil_div", "next_pow2"};

std::string lower(std::string_view word) {
  std::string out(word);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

// How many letters to change, add or leave out; two neighbours in the wrong order are one mistake.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      cost[i][j] = std::min({cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1),
                             cost[i - 1][j] + 1, cost[i][j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  return cost[a.size()][b.size()];
}

}  // namespace

void Complaints::add(base::Position at, std::string message) {
  found_.push_back({file_, at, std::move(message)});
}

Diagnostics Complaints::take() {
  std::stable_sort(found_.begin(), found_.end(), [](const auto& a, const auto& b) {
    return std::pair(a.at.line, a.at.column) < std::pair(b.at.line, b.at.column);
  });
  if (found_.size() > most_complaints) {
    const std::size_t more = found_.size() - most_complaints;
    found_.resize(most_complaints);
    found_.push_back({file_, {}, fmt::format("and {} more complaints about this file", more)});
  }
  return std::move(found_);
}

std::string quote(std::string_view text) {
  std::size_t end = std::min(text.size(), longest_quotation);
  while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
    --end;  // not amid a UTF-8 character
  std::string out(text.substr(0, end));
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return "'" + out + (end < text.size() ? "..." : "") + "'";
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  if (word.size() > longest_name) return "";
  const std::string* best = nullptr;
  std::size_t nearest = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const auto& candidate : known) {
    const std::size_t distance = edit_distance(lower(word), lower(candidate));
    if (distance >= nearest || distance >= candidate.size()) continue;
    nearest = distance;
    best = &candidate;
  }
  return best == nullptr ? "" : fmt::format(": did you mean {}?", quote(*best));
}

std::string join(const std::vector<std::string>& words, std::string_view last) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i)
    out += (i == 0 ? "" : i + 1 == words.size() ? fmt::format(" {} ", last) : ", ") + words[i];
  return out;
}

bool is_identifier(std::string_view name) {
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) return false;
  return std::all_of(name.begin(), name.end(),
                     [](unsigned char c) { return c < 0x80 && (std::isalnum(c) || c == '_'); });
}

std::string name_problem(std::string_view name) {
  if (name.empty()) return "a name cannot be empty";
  if (!is_identifier(name))
    return fmt::format(
        "{} cannot be a name: a name has letters, digits and _, and does not start with a digit",
        quote(name));
  if (name.size() > longest_name)
    return fmt::format("{} is too long for a name ({} characters; {} at most)", quote(name),
                       name.size(), longest_name);
  if (name.starts_with("HONE_") || name.starts_with("hone_"))
    return fmt::format("{}: names that start with {} are Hone's own", quote(name),
                       name.substr(0, 5));
  if (name.starts_with("__") ||
      (name[0] == '_' && name.size() > 1 && std::isupper(static_cast<unsigned char>(name[1]))))
    return fmt::format("{} is reserved for compilers: choose a name without the leading _",
                       quote(name));
  if (keywords.contains(name))
    return fmt::format("{} is a word of the kernel languages and cannot be a name", quote(name));
  if (expression_words.contains(name))
    return fmt::format("{} is a word of expressions and cannot be a name", quote(name));
  const auto& facts = core::device_symbol_names;
  if (std::find(facts.begin(), facts.end(), name) != facts.end())
    return fmt::format("{} is a fact of the device and cannot be a name", quote(name));
  if (name == "iteration") return "'iteration' counts the rounds of `repeat` and cannot be a name";
  return "";
}

}  // namespace hone::task
