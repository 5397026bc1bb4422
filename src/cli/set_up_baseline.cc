// The options of the commands that measure torch and make tables.
#include <memory>

#include "cli/set_up.h"

namespace hone::cli {

std::function<int()> set_up_baseline(CLI::App& app) {
  auto options = std::make_shared<Typed<app::BaselineRequest>>();
  app.add_option("tasks", options->tasks,
                 "Problems: kernelbench:level1/23, kernelbench:level1/1-20, kernelbench:level1, or "
                 "folders of tasks");
  add_place(app, *options, options->json);
  app.add_option("--out", options->out,
                 "Write the lines to this file too, and take what it holds as done");
  app.add_option("--markdown", options->markdown,
                 "Write a table of these problems there, in Markdown");
  app.add_flag("--again", options->again, "Measure again what is recorded for this device");
  app.add_flag("--retry", options->retry, "Try again what is recorded as failed");
  app.add_flag("--by-model", options->by_model,
               "Take what another device of the same name has done as done");
  app.add_flag("--show", options->recorded,
               "Measure nothing: show what --out, or else the home folder, holds");
  app.add_option("--jobs", options->jobs,
                 "Problems that are described and compiled side by side (default: half of the "
                 "cores, and as many as the device has room for)")
      ->check(CLI::PositiveNumber);
  app.add_option("--limit-s", options->limit_s, "Seconds that preparing one problem may take")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--budget-s", options->budget_s,
                 "Seconds for all of it: stops in time, and the same command goes on")
      ->check(CLI::PositiveNumber);
  app.footer(
      "Every problem is written down at once: stopped in any way, the same command goes on where "
      "it was.\n"
      "Exit codes: 0 all measured, 1 some problem failed (its line says why), 21 the seconds of "
      "--budget-s were up.");
  return [options] { return baseline(*options); };
}

std::function<int()> set_up_table(CLI::App& app) {
  auto options = std::make_shared<Typed<app::TableRequest>>();
  app.add_option("tasks", options->tasks,
                 "Problems, as `hone baseline` takes them (default: all that was evaluated)");
  add_place(app, *options, options->json);
  app.add_option("--baselines", options->baselines,
                 "Files of baselines (default: the one in the home folder)");
  app.add_option("--markdown", options->markdown, "Write the table there, in Markdown");
  return [options] { return table(*options); };
}

}  // namespace hone::cli
