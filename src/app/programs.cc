// The user's own tools: named in a file of the home folder, for every command that explains, or by
// --tool for one. Only that folder's file is read, never one of the folder that a command is given
// in: what it names is run.
#include <fmt/format.h>

#include <algorithm>

#include "app/inputs.h"
#include "base/error.h"
#include "base/files.h"
#include "base/toml_parser.h"
#include "profile/program_words.h"

namespace hone::app {
namespace {

using base::ExitCode;

constexpr const char* file_name = "tools.toml";
constexpr const char* key_name = "programs";

void require_program(const std::string& command, ExitCode code, const std::string& where) {
  if (const auto words = profile::program_words(command); !words)
    base::fail(code,
               "{} '{}': {}. It is a program and its arguments, split at blanks; quotes keep "
               "blanks in a word",
               where, command, words.error());
}

std::vector<std::string> configured() {
  const auto path = base::home_folder() / file_name;
  if (std::error_code ec; !std::filesystem::exists(path, ec)) return {};
  const auto parsed = base::parse_toml(base::read_file(path, base::largest_text_file));
  if (!parsed || !*parsed)
    base::fail(ExitCode::bad_input, "{}: {}", path.string(),
               parsed ? std::string(parsed->error().description()) : "it is no TOML");
  std::vector<std::string> programs;
  for (const auto& [key, value] : parsed->table()) {
    const auto* list = value.as_array();
    if (key.str() != key_name || list == nullptr ||
        (!list->empty() && !list->is_homogeneous<std::string>()))
      base::fail(ExitCode::bad_input,
                 "{}: '{}': the file holds {} = [\"COMMAND\", ...] and nothing else", path.string(),
                 std::string(key.str()), key_name);
    for (const auto& one : *list) programs.push_back(one.value_or<std::string>(""));
  }
  for (const auto& command : programs)
    require_program(command, ExitCode::bad_input, path.string() + ":");
  return programs;
}

}  // namespace

void require_programs(const std::vector<std::string>& given) {
  for (const auto& command : given) require_program(command, ExitCode::usage, "--tool");
}

std::vector<std::string> programs_from(const std::vector<std::string>& given) {
  require_programs(given);
  auto programs = configured();
  for (const auto& command : given)
    if (std::find(programs.begin(), programs.end(), command) == programs.end())
      programs.push_back(command);
  return programs;
}

}  // namespace hone::app
