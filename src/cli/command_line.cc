#include "cli/command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "base/error.h"
#include "task/complaints.h"

namespace hone::cli {
namespace {

const std::map<std::string, const char*> examples = {
    {"doctor", "hone doctor"},
    {"task", "hone task check examples/softmax"},
    {"task check", "hone task check examples/softmax --max-seconds 60"},
    {"task new", "hone task new mytask --from kernel.cu"},
    {"eval", "hone eval examples/softmax examples/softmax/seed.cl"},
    {"baseline", "hone baseline kernelbench:level1/1-20 --kernelbench ~/KernelBench"},
    {"table", "hone table kernelbench:level1 --kernelbench ~/KernelBench"},
    {"profile", "hone profile examples/softmax examples/softmax/seed.cl"},
    {"tools", "hone tools --json"},
    {"run", "hone run examples/matmul --llm anthropic:MODEL --max-usd 5 --max-candidates 30"},
    {"resume", "hone resume r1f2e3d4c5b6"},
    {"learn", "hone learn notes.md --llm anthropic:MODEL --max-usd 1"},
    {"simulate", "hone simulate --landscape deceptive --slots 1,4"},
    {"tune", "hone tune examples/softmax examples/softmax/seed.cl --max-minutes 5"},
    {"compare", "hone compare examples/softmax old.cl new.cl --max-seconds 30"},
    {"export",
     "hone export examples/softmax examples/softmax/seed.cl --format opencl --out softmax-opencl"},
    {"log", "hone log --task softmax --limit 50"},
    {"show", "hone show 4f1d"},
    {"runs", "hone runs --limit 5"},
    {"report", "hone report r1f2e3d4c5b6 -o report.md"},
    {"best", "hone best r1f2e3d4c5b6 -o fast.cl"},
    {"diff", "hone diff old.cl r1f2e3d4c5b6"},
    {"recheck", "hone recheck r1f2e3d4c5b6"},
    {"findings", "hone findings --task softmax"},
    {"findings list", "hone findings list --limit 5"},
    {"findings add", "hone findings add \"Vectors of eight beat those of four.\" --task softmax"},
    {"findings edit", "hone findings edit 12 \"Vectors of eight are as fast as those of four.\""},
    {"findings delete", "hone findings delete 12"},
    {"findings show", "hone findings show 12"},
    {"bundle", "hone bundle pack jobs -o jobs.hone"},
    {"bundle pack", "hone bundle pack jobs -o jobs.hone"},
    {"bundle run", "hone bundle run jobs.hone -o results.hone"},
    {"bundle import", "hone bundle import jobs results.hone"},
    {"bundle device", "hone bundle device -o device.json"},
    {"worker", "hone worker /shared/spool --device cuda:0"},
    {"resources", "hone resources export my-resources"},
    {"resources export", "hone resources export my-resources"},
    {"mcp", "hone mcp --folder ~/kernels --max-evals 200 --max-minutes 60"},
    {"selftest", "hone selftest --cheats --only 5"},
    {"config", "hone config"},
    {"completion", "hone completion bash > ~/.local/share/bash-completion/completions/hone"},
    {"help", "hone help task check"},
};

// In the order in which help shows them. What is in none is the command's own.
struct Group {
  const char* title;
  std::vector<std::string> begins;  // with what the names of its options begin
};
const std::vector<Group> groups = {
    {"Limits", {"--max-", "--time-limit", "--reference-limit"}},
    {"Models", {"--llm", "--price"}},
    {"Where", {"--device", "--archive", "--unsafe", "--resources"}},
    {"Python and problems of others", {"--kernelbench", "--python"}},
    {"Output", {"--json", "--out", "--force", "--no-record"}},
};

void put_into_groups(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    if (option->get_positional() || option->get_group().empty() || option->get_lnames().empty())
      continue;
    const std::string name = "--" + option->get_lnames().front();
    for (const auto& group : groups)
      for (const auto& begin : group.begins)
        if (name.starts_with(begin)) option->group(group.title);
  }
}

void finish(CLI::App& app, const std::string& path) {
  put_into_groups(app);
  if (const std::string example = example_of(path); !example.empty())
    app.footer(fmt::format("{}{}Example:\n  {}", app.get_footer(),
                           app.get_footer().empty() ? "" : "\n\n", example));
  for (CLI::App* sub : app.get_subcommands([](CLI::App*) { return true; }))
    finish(*sub, path.empty() ? sub->get_name() : path + " " + sub->get_name());
}

void collect(const CLI::App& app, const std::string& path, std::vector<NamedApp>& into) {
  into.push_back({path, &app});
  for (const CLI::App* sub :
       app.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); }))
    collect(*sub, path.empty() ? sub->get_name() : path + " " + sub->get_name(), into);
}

std::vector<std::string> subcommand_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* sub :
       app.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); }))
    names.push_back(sub->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App* app) {
  std::vector<std::string> names;
  for (; app != nullptr; app = app->get_parent())
    for (const CLI::Option* option :
         app->get_options([](const CLI::Option* one) { return !one->get_group().empty(); }))
      for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

// Of what was not understood: -o, --devise=fake:0; neither - nor -1.
bool is_option(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && word != "--" && word[1] != '.' &&
         !(word[1] >= '0' && word[1] <= '9');
}

}  // namespace

std::string example_of(const std::string& path) {
  const auto known = examples.find(path);
  return known == examples.end() ? "" : known->second;
}

void finish_help(CLI::App& hone) { finish(hone, ""); }

std::vector<NamedApp> all_commands(const CLI::App& hone) {
  std::vector<NamedApp> all;
  collect(hone, "", all);
  return all;
}

std::string usage_problem(const CLI::App& hone, const CLI::ParseError& error) {
  std::string command = "hone";
  const CLI::App* at = &hone;
  while (!at->get_subcommands().empty()) {
    at = at->get_subcommands().front();
    command += " " + at->get_name();
  }
  std::string what = error.what();
  const auto left = hone.remaining(true);
  const auto unknown = std::find_if(left.begin(), left.end(), is_option);
  const bool needs_one = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr &&
                         at->get_require_subcommand_min() > 0;
  // `hone findings` works alone too: a word behind it that is none of its commands is mistyped.
  const bool may_have_one = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr &&
                            !left.empty() && !subcommand_names(*at).empty();
  const bool no_command = (needs_one || may_have_one) && (left.empty() || !is_option(left.front()));
  // What stands behind an unknown option may be its value, and would be called one word too many.
  if (!no_command && unknown != left.end()) {
    const std::string name = unknown->substr(0, unknown->find('='));
    what = fmt::format("there is no option {}{}", name, task::did_you_mean(name, option_names(at)));
  } else if (no_command) {
    const auto names = subcommand_names(*at);
    const std::string near = left.empty() ? "" : task::did_you_mean(left.front(), names);
    what = left.empty() ? fmt::format("{} needs a command", command)
                        : fmt::format("there is no command '{}'{}", left.front(), near);
    if (near.empty()) what += fmt::format("; it is one of {}", fmt::join(names, ", "));
  }
  return fmt::format("{} (`{} --help` says more)", what, command);
}

void take_settings(CLI::App& hone, const std::vector<app::Setting>& settings) {
  std::string path;
  CLI::App* at = &hone;
  while (!at->get_subcommands().empty()) {
    at = at->get_subcommands().front();
    path += (path.empty() ? "" : " ") + at->get_name();
  }
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const auto& kind = app::setting_kinds()[i];
    const bool is_for =
        std::find(kind.commands.begin(), kind.commands.end(), path) != kind.commands.end();
    if (!is_for || settings[i].value.empty()) continue;
    CLI::Option* option = at->get_option_no_throw(kind.option);
    if (option == nullptr || option->count() > 0) continue;
    try {
      option->add_result(settings[i].value);
      option->run_callback();
    } catch (const CLI::ParseError& error) {
      base::fail(base::ExitCode::bad_input, "{}: {}: {}", settings[i].from, kind.key, error.what());
    }
  }
}

std::string help_of(const CLI::App& hone, const std::vector<std::string>& words) {
  const CLI::App* at = &hone;
  std::string command = "hone";
  for (const auto& word : words) {
    const auto names = subcommand_names(*at);
    if (std::find(names.begin(), names.end(), word) == names.end()) {
      const std::string near = task::did_you_mean(word, names);
      base::fail(base::ExitCode::usage, "{} has no command '{}'{}", command, word,
                 near.empty() && !names.empty()
                     ? fmt::format("; it is one of {}", fmt::join(names, ", "))
                     : near);
    }
    at = at->get_subcommand(word);
    command += " " + word;
  }
  if (at == &hone) return hone.help();
  return at->help(command.substr(0, command.size() - at->get_name().size() - 1));
}

}  // namespace hone::cli
