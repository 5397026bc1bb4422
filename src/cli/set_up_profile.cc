// The options of the commands that explain.
#include <memory>

#include "cli/set_up.h"

namespace hone::cli {

std::function<int()> set_up_profile(CLI::App& app) {
  auto options = std::make_shared<ProfileCommand>();
  app.add_option("task", options->task, "The task's folder");
  app.add_option("candidate", options->candidate, "A .cu or .cl file with a launch plan");
  add_place(app, *options, options->json);
  app.add_option("--case", options->case_name,
                 "The case to look at (default: the timed one that takes longest)");
  app.add_option("--set", options->set, "NAME=VALUE for a tunable, instead of its default");
  app.add_option("--again", options->again,
                 "Instead of a task and a candidate: a recorded profile, explained by the present "
                 "tools without its device");
  app.add_flag_function(
      "--no-source", [options](std::int64_t) { options->source = false; },
      "Leave out the samples of source lines, which take seconds");
  app.add_flag("--energy", options->energy,
               "Measure joules too, which takes windows of several seconds");
  app.add_flag("--sanitize", options->sanitize, "Run the vendor's checkers too");
  app.add_option("--tool", options->tools,
                 "A program that gives advice too (docs/profiling.md); may be given again")
      ->allow_extra_args(false);
  add_time_limit(app, options->limit.seconds, options->limit.first_too);
  app.footer("Exit codes: 0 explained, 1 the candidate is not accepted.");
  return [options] { return profile(*options); };
}

std::function<int()> set_up_tools(CLI::App& app) {
  auto options = std::make_shared<Typed<app::ToolsRequest>>();
  add_place(app, *options, options->json, false);
  return [options] { return tools(*options); };
}

}  // namespace hone::cli
