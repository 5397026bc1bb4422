#pragma once
// For tests only: words as a user types them behind `hone`, and what hone says of them. Nothing is
// carried out.
#include <algorithm>
#include <string>
#include <vector>

#include "cli/command_line.h"

namespace hone::cli {

// What is wrong with the words; "" where they can be carried out.
inline std::string complaint(std::vector<std::string> words) {
  const auto line = command_line();
  std::reverse(words.begin(), words.end());  // as CLI11 takes them
  try {
    line->app->parse(words);
  } catch (const CLI::ParseError& error) {
    return usage_problem(*line->app, error);
  }
  return "";
}

// "eval a b --json" as words; quotes keep spaces together, and what a shell would do is left out.
inline std::vector<std::string> words_of(const std::string& typed) {
  std::vector<std::string> words(1);
  bool quoted = false;
  for (const char c : typed) {
    if (c == '>') break;
    if (c == '"') quoted = !quoted;
    if (c == ' ' && !quoted)
      words.emplace_back();
    else if (c != '"')
      words.back() += c;
  }
  std::erase(words, "");
  return words;
}

}  // namespace hone::cli
