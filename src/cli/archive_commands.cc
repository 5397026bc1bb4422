// `hone log`, `hone show`, `hone runs` and `hone resources`: from what was typed to the functions that print.
#include <iostream>

#include "base/error.h"
#include "base/resources.h"
#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/log.h"
#include "cli/research_runs.h"
#include "cli/runs.h"
#include "cli/show.h"

namespace hone::cli {
using namespace text;

int log(const LogCommand& command) {
  LogOptions options{command.task, std::nullopt, command.before, command.limit, command.json};
  if (!command.outcome.empty()) {
    options.outcome = core::outcome_from(command.outcome);
    if (!options.outcome)
      base::fail(base::ExitCode::usage,
                 "--outcome {}: it is accepted, build_failed, launch_failed, wrong, timed_out, crashed, cheating, "
                 "below_floor, rejected or undecided",
                 command.outcome);
  }
  auto archive = archive_to_read(command);
  print_log(archive, options, std::cout, screen_of(stdout));
  return 0;
}

int show(const ShowCommand& command) {
  auto archive = archive_to_read(command);
  print_show(archive, {command.id, command.limit, command.json}, std::cout, screen_of(stdout));
  return 0;
}

int runs(const RunsCommand& command) {
  auto archive = archive_to_read(command);
  const Screen screen = screen_of(stdout);
  if (command.run.empty())
    print_runs(archive, command.limit, command.json, std::cout, screen);
  else if (command.run[0] == 'r' || command.run[0] == 'R')
    print_research_run(report::load_story(archive, command.run), command.json, std::cout, screen);
  else
    print_tuning_run(archive, command.run, command.json, std::cout, screen);
  return 0;
}

int export_resources(const ResourcesCommand& command) {
  base::export_resources(command.folder);
  if (command.json) return print_written({command.folder});
  std::cout << "The resources are in " << printable(command.folder) << "; use them with --resources "
            << printable(command.folder) << "\n";
  return 0;
}

}  // namespace hone::cli
