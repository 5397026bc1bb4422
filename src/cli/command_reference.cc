// docs/commands.md: the same texts as --help, in Markdown, one section for each command. Options
// that many commands take are explained once and named after that.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cli/command_line.h"

namespace hone::cli {
namespace {

constexpr std::size_t widest = 100;  // columns of the page's prose
constexpr int many = 4;              // commands from which on an option counts as common

constexpr const char* opening =
    R"(# Command reference

```console
$ hone help log
List what was evaluated, newest first
Usage: hone log [OPTIONS]
...
```

Made from the texts of `--help` by `hone man --markdown > docs/commands.md`; a test refuses a stale
page. Every command takes the task first and the candidate second. Exit codes are in
[formats.md](formats.md#exit-codes).
)";

std::string wrapped(const std::string& text) {
  std::string out;
  std::size_t column = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find_first_of(" \n", at), text.size());
    const auto length = end - at;
    if (length > 0) {
      const bool fits = column + 1 + length <= widest;
      if (column > 0) out += fits ? ' ' : '\n';
      column = column > 0 && fits ? column + 1 + length : length;
      out += text.substr(at, length);
    }
    at = end + 1;
  }
  return out;
}

std::string in_a_cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

bool has_name(const CLI::Option& option) {
  return !option.get_lnames().empty() || !option.get_snames().empty();
}

// What is typed: "`--device TEXT`".
std::string typed(const CLI::Option& option) {
  const std::string kind = option.get_type_name();
  const bool is_choice = kind.find('{') != std::string::npos;
  const std::string word = is_choice ? "NAME" : kind.substr(0, kind.find(':'));
  std::string names = has_name(option) ? option.get_name(false, true) : option.get_name(true);
  if (const auto comma = names.find(','); comma != std::string::npos) names.insert(comma + 1, " ");
  return fmt::format("`{}{}`", names, !has_name(option) || word.empty() ? "" : " " + word);
}

std::string row_of(const CLI::Option& option) {
  std::string what = option.get_description();
  if (const auto& value = option.get_default_str(); !value.empty())
    what += fmt::format(" (default: {})", value);
  return fmt::format("| {} | {} |\n", typed(option), in_a_cell(what));
}

std::vector<const CLI::Option*> options_of(const CLI::App& app) {
  auto options = app.get_options([](const CLI::Option* one) {
    return !one->get_group().empty() && !one->check_name("--help");
  });
  return {options.begin(), options.end()};
}

// The same option in many commands, by what it says; in the order of its first command.
struct Common {
  std::map<std::string, int> times;
  std::vector<const CLI::Option*> rows;

  explicit Common(const std::vector<NamedApp>& commands) {
    for (const auto& [path, app] : commands)
      for (const auto* option : options_of(*app))
        if (++times[row_of(*option)] == many && has_name(*option)) rows.push_back(option);
  }
  bool has(const CLI::Option& option) const {
    return has_name(option) && times.at(row_of(option)) >= many;
  }
};

std::string synopsis_of(const std::string& path, const CLI::App& app) {
  std::string out = "hone " + path;
  for (const auto* option : options_of(app))
    if (!has_name(*option))
      out += option->get_required() ? " " + option->get_name(true)
                                    : " [" + option->get_name(true) + "]";
  return out + (app.get_require_subcommand_min() > 0 ? " COMMAND" : "") + " [OPTIONS]";
}

std::string table_of(const std::vector<const CLI::Option*>& options) {
  if (options.empty()) return "";
  std::string out = "\n| option | meaning |\n| --- | --- |\n";
  for (const auto* option : options) out += row_of(*option);
  return out;
}

// The footer without its example, which stands in the synopsis.
std::string notes_of(const CLI::App& app) {
  const std::string text = app.get_footer();
  const std::string notes = wrapped(text.substr(0, text.find("Example:\n")));
  return notes.empty() ? "" : "\n" + notes + "\n";
}

std::string section_of(const NamedApp& command, const Common& common) {
  std::vector<const CLI::Option*> own;
  std::string also;
  for (const auto* option : options_of(*command.app)) {
    if (!common.has(*option))
      own.push_back(option);
    else
      also += fmt::format("{}`{}`", also.empty() ? "" : ", ", option->get_name(false, false));
  }
  std::string out =
      fmt::format("\n## hone {}\n\n{}\n\n```sh\n{}\n", command.path,
                  wrapped(command.app->get_description()), synopsis_of(command.path, *command.app));
  if (const auto example = example_of(command.path); !example.empty())
    out += fmt::format("# for example\n{}\n", example);
  out += "```\n" + table_of(own);
  if (!also.empty()) out += "\n" + wrapped("Also: " + also + ".") + "\n";
  return out + notes_of(*command.app);
}

}  // namespace

std::string command_reference(const CLI::App& hone) {
  auto commands = all_commands(hone);
  std::erase_if(commands, [](const NamedApp& one) { return one.path.empty(); });
  const Common common(commands);
  std::string out = opening;
  out += "\n## Options that many commands take\n" + table_of(common.rows);
  for (const auto& command : commands) out += section_of(command, common);
  return out;
}

}  // namespace hone::cli
