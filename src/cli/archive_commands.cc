// `hone runs`: from what was typed to the functions that print.
#include <iostream>

#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/research_runs.h"
#include "cli/runs.h"

namespace hone::cli {
using namespace text;

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

}  // namespace hone::cli
