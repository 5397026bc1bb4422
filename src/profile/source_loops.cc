#include "profile/source_loops.h"

#include <algorithm>
#include <cctype>

#include "core/source_lines.h"

namespace hone::profile {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The source with comments, texts and lines of the preprocessor as spaces, so that places stay.
std::string code_alone(std::string_view source) {
  std::string out(source);
  const auto blank = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < std::min(to, out.size()); ++i)
      if (out[i] != '\n') out[i] = ' ';
  };
  bool at_line_start = true;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const char c = source[i];
    if (c == '#' && at_line_start) {
      std::size_t end = i;
      while (end < source.size() && (source[end] != '\n' || source[end - 1] == '\\')) ++end;
      blank(i, end);
      i = end;
    } else if (source.substr(i, 2) == "/*" || source.substr(i, 2) == "//") {
      const bool block = source[i + 1] == '*';
      const auto close = source.find(block ? "*/" : "\n", i + 2);
      const std::size_t end =
          close == std::string_view::npos ? source.size() : close + (block ? 2 : 0);
      blank(i, end);
      i = end - 1;
    } else if (c == '"' || c == '\'') {
      std::size_t end = i + 1;
      while (end < source.size() && source[end] != c && source[end] != '\n')
        end += source[end] == '\\' ? 2 : 1;
      blank(i, end + 1);
      i = end;
    }
    if (i < source.size() &&
        (source[i] == '\n' || std::isspace(static_cast<unsigned char>(source[i])) == 0))
      at_line_start = source[i] == '\n';
  }
  return out;
}

std::size_t next_place(const std::string& code, std::size_t at) {
  while (at < code.size() && std::isspace(static_cast<unsigned char>(code[at])) != 0) ++at;
  return at;
}

// Behind the bracket that closes the one at `open`; npos where none does.
std::size_t behind_bracket(const std::string& code, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < code.size(); ++i) {
    if (code[i] == '(' || code[i] == '{' || code[i] == '[') ++depth;
    if ((code[i] == ')' || code[i] == '}' || code[i] == ']') && --depth == 0) return i + 1;
  }
  return std::string::npos;
}

// Behind the statement that begins here, with its else.
std::size_t behind_statement(const std::string& code, std::size_t at) {
  while (at < code.size()) {
    if (code[at] == '(' || code[at] == '[') {
      at = behind_bracket(code, at);
      continue;
    }
    const bool block = code[at] == '{';
    if (code[at] != ';' && !block) {
      ++at;
      continue;
    }
    const std::size_t end = block ? behind_bracket(code, at) : at + 1;
    if (end == std::string::npos) break;
    const std::size_t next = next_place(code, end);
    if (code.compare(next, 4, "else") != 0) return end;
    at = next + 4;
  }
  return std::string::npos;
}

bool is_keyword(const std::string& code, std::size_t at, std::string_view word) {
  return code.compare(at, word.size(), word) == 0 && (at == 0 || !is_word(code[at - 1])) &&
         at + word.size() < code.size() && !is_word(code[at + word.size()]);
}

}  // namespace

std::vector<SourceLoop> source_loops(std::string_view source) {
  const std::string code = code_alone(source);
  const std::size_t first = source.size() - core::counted_text(source).size();  // where line 1 is
  std::vector<SourceLoop> loops;
  for (std::size_t at = 0; at < code.size(); ++at) {
    const std::size_t length = is_keyword(code, at, "for")     ? 3
                               : is_keyword(code, at, "while") ? 5
                                                               : 0;
    if (length == 0) continue;
    const std::size_t open = next_place(code, at + length);
    if (open >= code.size() || code[open] != '(') continue;
    const std::size_t closed = behind_bracket(code, open);
    if (closed == std::string::npos) continue;
    const std::size_t body = next_place(code, closed);
    if (body >= code.size() || code[body] == ';')
      continue;  // nothing in it, or the end of do … while
    SourceLoop loop;
    const auto before = std::string_view(code).substr(0, at).substr(std::min(first, at));
    loop.line = static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1;
    loop.has_braces = code[body] == '{';
    loop.begin = loop.has_braces ? body + 1 : body;
    loop.end = loop.has_braces ? behind_bracket(code, body) : behind_statement(code, body);
    if (loop.end == std::string::npos) continue;
    loops.push_back(loop);
  }
  return loops;
}

namespace {

// Texts that are put into a source, each at its place.
using Insertions = std::vector<std::pair<std::size_t, std::string>>;

std::string inserted(const std::string& source, Insertions insertions) {
  std::stable_sort(insertions.begin(), insertions.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string out = source;
  for (const auto& [at, text] : insertions) out.insert(at, text);
  return out;
}

void put_first(const SourceLoop& loop, const std::string& statement, Insertions& insertions) {
  insertions.emplace_back(loop.begin, loop.has_braces ? " " + statement : "{ " + statement + " ");
  if (!loop.has_braces) insertions.emplace_back(loop.end, " }");
}

// Where a kernel's parameters end, and its body; all 0 where it has none.
struct KernelPlaces {
  std::size_t parameters_end = 0, body_begin = 0, body_end = 0;
  bool has_parameters = false;
};

KernelPlaces places_of(const std::string& code, const std::string& name) {
  for (std::size_t at = code.find(name); at != std::string::npos; at = code.find(name, at + 1)) {
    if (!is_keyword(code, at, name)) continue;
    const std::size_t open = next_place(code, at + name.size());
    if (open >= code.size() || code[open] != '(') continue;
    const std::size_t closed = behind_bracket(code, open);
    if (closed == std::string::npos) return {};
    const std::size_t body = next_place(code, closed);
    if (body >= code.size() || code[body] != '{') continue;
    const std::size_t end = behind_bracket(code, body);
    if (end == std::string::npos) return {};
    return {closed - 1, body, end, next_place(code, open + 1) != closed - 1};
  }
  return {};
}

}  // namespace

MarkedSource with_marks(const std::string& source, const std::vector<std::string>& names) {
  const std::string code = code_alone(source);
  const auto loops = source_loops(source);
  MarkedSource marked;
  Insertions insertions;
  for (const auto& name : names) {
    const KernelPlaces kernel = places_of(code, name);
    if (kernel.body_end == 0) continue;
    insertions.emplace_back(kernel.parameters_end, std::string(kernel.has_parameters ? ", " : "") +
                                                       "__global volatile int* hone_marks");
    for (const auto& loop : loops) {
      if (loop.begin <= kernel.body_begin || loop.end > kernel.body_end) continue;
      const auto number = marked.loops.size();
      put_first(loop,
                "hone_marks[" + std::to_string(number) +
                    "] = " + std::to_string(first_mark + static_cast<int>(number)) + ";",
                insertions);
      marked.loops.push_back(loop);
    }
  }
  marked.text = inserted(source, std::move(insertions));
  return marked;
}

std::string with_traps(const std::string& source, const std::vector<SourceLoop>& loops) {
  Insertions insertions;
  for (const auto& loop : loops) put_first(loop, "__builtin_trap();", insertions);
  return inserted(source, std::move(insertions));
}

}  // namespace hone::profile
