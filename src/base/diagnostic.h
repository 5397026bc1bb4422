#pragma once
// A complaint about a text that a person wrote: where, what, and how to fix it. Rendered with the
// line and a caret.
#include <string>
#include <string_view>
#include <vector>

namespace hone::base {

struct Position {
  int line = 0;  // from 1; 0: the file as a whole
  int column = 0;
};

struct Diagnostic {
  std::string file;
  Position at;
  std::string message;
};

// "file:line:column: message", then the line and a caret under the column when the text is given
// and has that line.
std::string render(const Diagnostic& diagnostic, std::string_view text);
std::string render(const std::vector<Diagnostic>& diagnostics, std::string_view text);

}  // namespace hone::base
