// The options of the commands that measure torch and make tables.
#include <memory>

#include "cli/baseline.h"
#include "cli/set_up.h"

namespace hone::cli {

std::function<int()> set_up_baseline(CLI::App& app) {
  auto options = std::make_shared<BaselineOptions>();
  app.add_option("tasks", options->tasks,
                 "Problems: kernelbench:level1/23, kernelbench:level1/1-20, kernelbench:level1, or folders of tasks")
      ->required();
  add_common(app, *options);
  app.add_option("--out", options->out, "Write the lines to this file too, and take what it holds as done");
  app.add_flag("--again", options->again, "Measure again what is recorded for this device");
  app.footer(
      "Every problem is written down at once: stopped in any way, the same command goes on where it was.\n"
      "Exit codes: 0 all measured, 1 some problem failed (its line says why).");
  return [options] { return baseline(*options); };
}

std::function<int()> set_up_table(CLI::App& app) {
  auto options = std::make_shared<TableOptions>();
  app.add_option("tasks", options->tasks, "Problems, as `hone baseline` takes them (default: all that was evaluated)");
  add_common(app, *options);
  app.add_option("--baselines", options->baselines, "Files of baselines (default: the one in the home folder)");
  app.add_option("--markdown", options->markdown, "Write the table there, in Markdown");
  return [options] { return table(*options); };
}

}  // namespace hone::cli
