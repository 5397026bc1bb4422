#pragma once
// The whole command line as one description: commands with their options, examples and groups.
// Parsing, help, the completion of shells, the man page and docs/commands.md are all made of it.
// Built by command_line() in main.cc.
#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace hone::cli {

struct CommandLine {
  std::unique_ptr<CLI::App> app;
  std::vector<std::pair<CLI::App*, std::function<int()>>>
      actions;  // of each command, once it is parsed
  std::string resources;
};
std::unique_ptr<CommandLine> command_line();

// The commands that are typed, from `hone` itself down: "", "eval", "task check".
struct NamedApp {
  std::string path;
  const CLI::App* app;
};
std::vector<NamedApp> all_commands(const CLI::App& hone);

// An example of each command; "" where there is none. A test parses them all.
std::string example_of(const std::string& path);
// Gives every command its example, and puts options into groups.
void finish_help(CLI::App& hone);

// What is wrong with the words, in one line, with the nearest command or option that there is.
std::string usage_problem(const CLI::App& hone, const CLI::ParseError& error);

// ---- what is made of it
std::string completion_script(const CLI::App& hone, const std::string& shell);  // bash, zsh or fish
std::string man_page(const CLI::App& hone);                                     // roff
std::string command_reference(const CLI::App& hone);                            // docs/commands.md
std::string help_of(const CLI::App& hone,
                    const std::vector<std::string>& words);  // throws Error: no such command

}  // namespace hone::cli
