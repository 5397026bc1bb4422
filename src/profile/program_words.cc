#include "profile/program_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace hone::profile {
namespace {

constexpr const char* prefix = "program:";
constexpr std::size_t longest_name = 64;
// Programs that run another one, which is the tool.
constexpr std::array interpreters = {"python", "sh",   "bash", "dash", "zsh",
                                     "perl",   "ruby", "node", "env"};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

std::string file_of(const std::string& word) { return word.substr(word.find_last_of('/') + 1); }

// "python3.11" is one, "python-checks" is not.
bool is_interpreter(const std::string& file) {
  const auto end = file.find_last_not_of("0123456789.");
  const std::string name = file.substr(0, end == std::string::npos ? 0 : end + 1);
  return std::find(interpreters.begin(), interpreters.end(), name) != interpreters.end();
}

std::string only_plain(std::string name) {
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 &&
        std::string_view("._+-").find(c) == std::string_view::npos)
      c = '_';
  return name.substr(0, longest_name);
}

}  // namespace

base::Result<std::vector<std::string>> program_words(const std::string& command) {
  std::vector<std::string> words;
  bool inside = false;  // a word, which may be empty: ''
  char quote = 0;
  for (std::size_t at = 0; at < command.size(); ++at) {
    const char c = command[at];
    if (quote == 0 && is_blank(c)) {
      inside = false;
      continue;
    }
    if (!inside) words.emplace_back();
    inside = true;
    if (quote == 0 && (c == '\'' || c == '"'))
      quote = c;
    else if (c == quote)
      quote = 0;
    else if (c == '\\' && quote != '\'') {
      if (++at == command.size()) return base::Failure{"nothing follows its last backslash"};
      words.back() += command[at];
    } else
      words.back() += c;
  }
  if (quote != 0) return base::Failure{fmt::format("a quote ({}) is not closed", quote)};
  if (words.empty() || words.front().empty()) return base::Failure{"it names no program"};
  return words;
}

std::string program_name(const std::string& command) {
  const auto words = program_words(command);
  if (!words) return prefix + only_plain(command);
  std::string name = file_of(words->front());
  if (is_interpreter(name))
    for (std::size_t i = 1; i < words->size(); ++i) {
      const auto file = file_of((*words)[i]);
      if ((*words)[i].starts_with("-") || file.empty() || file.find(' ') != std::string::npos)
        continue;  // a script's text
      name = file;
      break;
    }
  return prefix + only_plain(name);
}

}  // namespace hone::profile
