#pragma once
// Everything that is wrong with one file, gathered so that it can all be said at once. What a
// stranger wrote is quoted printably and cut short: a hostile file can neither write to the
// terminal nor drown the reader.
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace hone::task {

using Diagnostics = std::vector<base::Diagnostic>;

class Complaints {
 public:
  explicit Complaints(std::string file) : file_(std::move(file)) {}
  void add(base::Position at, std::string message);
  bool empty() const { return found_.empty(); }
  const std::string& file() const { return file_; }
  // In the order of their places; past a hundred only how many there were.
  Diagnostics take();

 private:
  std::string file_;
  Diagnostics found_;
};

// 'text' in quotes, control characters replaced, long ones cut.
std::string quote(std::string_view text);
// ": did you mean 'rows'?", or "" where nothing known is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);
std::string join(const std::vector<std::string>& words, std::string_view last = "or");

constexpr std::size_t longest_name = 64, most_cases = 256;  // of a task, whichever kind it is

// Why a tensor, scalar, symbol, tunable, scratch buffer or kernel cannot have this name; "" where
// it can. Names become macros and C parameters, and stand in expressions beside functions and
// device facts.
std::string name_problem(std::string_view name);
bool is_identifier(std::string_view name);

}  // namespace hone::task
