// Completion for shells. Each script finds the command among the words so far and offers its
// commands or options; where neither is asked for, files.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "cli/command_line.h"

namespace hone::cli {
namespace {

struct Offer {
  std::string word, what;
};

std::string one_line(std::string text, std::string_view unwanted) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || unwanted.find(c) != std::string_view::npos) c = ' ';
  return text;
}

std::vector<Offer> commands_of(const CLI::App& app) {
  std::vector<Offer> offers;
  for (const CLI::App* sub :
       app.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); }))
    offers.push_back({sub->get_name(), sub->get_description()});
  return offers;
}

std::vector<Offer> options_of(const CLI::App& app) {
  std::vector<Offer> offers;
  for (const CLI::Option* option :
       app.get_options([](const CLI::Option* one) { return !one->get_group().empty(); }))
    for (const auto& name : option->get_lnames())
      offers.push_back({"--" + name, option->get_description()});
  return offers;
}

std::string words(const std::vector<Offer>& offers) {
  std::string all;
  for (const auto& offer : offers) all += (all.empty() ? "" : " ") + offer.word;
  return all;
}

// The lines of a `case` in bash and zsh that follow the words from command to command.
std::string steps(const std::vector<NamedApp>& all, const char* variable) {
  std::string out;
  for (const auto& [path, app] : all)
    if (const auto space = path.rfind(' '); !path.empty())
      out += fmt::format(
          "      \"{}\") {}=\"{}\" ;;\n",
          space == std::string::npos ? " " + path : path.substr(0, space) + " " + app->get_name(),
          variable, path);
  return out;
}

std::string for_bash(const std::vector<NamedApp>& all) {
  std::string out =
      "# Completion of hone for bash: made by `hone completion bash`.\n_hone() {\n"
      "  local current=\"${COMP_WORDS[COMP_CWORD]}\" where=\"\" commands=\"\" options=\"\" i\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do\n    case \"$where ${COMP_WORDS[i]}\" in\n" +
      steps(all, "where") + "    esac\n  done\n  case \"$where\" in\n";
  for (const auto& [path, app] : all)
    out += fmt::format("    \"{}\") commands=\"{}\" options=\"{}\" ;;\n", path,
                       words(commands_of(*app)), words(options_of(*app)));
  return out +
         "  esac\n  if [[ $current == -* ]]; then\n    COMPREPLY=($(compgen -W \"$options\" -- "
         "\"$current\"))\n"
         "  elif [[ -n $commands ]]; then\n    COMPREPLY=($(compgen -W \"$commands\" -- "
         "\"$current\"))\n"
         "  else\n    COMPREPLY=()\n  fi\n}\ncomplete -o default -F _hone hone\n";
}

std::string zsh_list(const std::vector<Offer>& offers) {
  std::string out;
  for (const auto& offer : offers)
    out += fmt::format("{}'{}:{}'", out.empty() ? "" : " ", offer.word, one_line(offer.what, "':"));
  return out;
}

std::string for_zsh(const std::vector<NamedApp>& all) {
  std::string out =
      "#compdef hone\n# Completion of hone for zsh: made by `hone completion zsh`.\n_hone() {\n"
      "  local where=\"\" word\n  local -a commands options\n"
      "  for word in ${words[2,CURRENT-1]}; do\n    case \"$where $word\" in\n" +
      steps(all, "where") + "    esac\n  done\n  case \"$where\" in\n";
  for (const auto& [path, app] : all)
    out += fmt::format("    \"{}\") commands=({}); options=({}) ;;\n", path,
                       zsh_list(commands_of(*app)), zsh_list(options_of(*app)));
  return out +
         "  esac\n  if [[ $PREFIX == -* ]]; then\n    _describe -o option options\n"
         "  elif (( ${#commands} )); then\n    _describe command commands\n  else\n    _files\n  "
         "fi\n}\n"
         "if [[ $funcstack[1] == _hone ]]; then _hone \"$@\"; else compdef _hone hone; fi\n";
}

// Whether exactly this command was typed, as a condition of fish's.
std::string fish_condition(const std::string& path, const CLI::App& app) {
  if (path.empty()) return "__fish_use_subcommand";
  std::string out;
  for (std::size_t from = 0; from <= path.size();) {
    const auto space = std::min(path.find(' ', from), path.size());
    out += fmt::format("{}__fish_seen_subcommand_from {}", out.empty() ? "" : "; and ",
                       path.substr(from, space - from));
    from = space + 1;
  }
  const auto below = words(commands_of(app));
  return below.empty() ? out : out + "; and not __fish_seen_subcommand_from " + below;
}

std::string for_fish(const std::vector<NamedApp>& all) {
  std::string out = "# Completion of hone for fish: made by `hone completion fish`.\n";
  for (const auto& [path, app] : all) {
    const std::string condition = fish_condition(path, *app);
    for (const auto& offer : commands_of(*app))
      out += fmt::format("complete -c hone -f -n '{}' -a {} -d '{}'\n", condition, offer.word,
                         one_line(offer.what, "'\\"));
    for (const auto& offer : options_of(*app))
      out += fmt::format("complete -c hone -n '{}' -l {} -d '{}'\n", condition,
                         offer.word.substr(2), one_line(offer.what, "'\\"));
  }
  return out;
}

}  // namespace

std::string completion_script(const CLI::App& hone, const std::string& shell) {
  const auto all = all_commands(hone);
  if (shell == "bash") return for_bash(all);
  if (shell == "zsh") return for_zsh(all);
  if (shell == "fish") return for_fish(all);
  base::fail(base::ExitCode::usage, "completion is for bash, zsh or fish, not for '{}'", shell);
}

}  // namespace hone::cli
