// The options of the commands that read the archive.
#include <memory>

#include "app/inputs.h"
#include "cli/set_up.h"

namespace hone::cli {

std::function<int()> set_up_log(CLI::App& app) {
  auto options = std::make_shared<Typed<app::LogRequest>>();
  add_place(app, *options, options->json, false);
  app.add_option("--task", options->task, "Only evaluations of the task with this name");
  app.add_option_function<std::string>(
      "--outcome",
      [options](const std::string& name) { options->outcome = app::outcome_from(name); },
      "Only evaluations that ended so: accepted, wrong, ...");
  app.add_option("--before", options->before,
                 "Only what was recorded before the evaluation with this id");
  app.add_option("--limit", options->limit, "How many lines")->capture_default_str();
  return [options] { return log(*options); };
}

std::function<int()> set_up_show(CLI::App& app) {
  auto options = std::make_shared<Typed<app::ShowRequest>>();
  app.add_option("id", options->id,
                 "Of an evaluation, a candidate or a profile, or a prefix of one; RUN:00012; "
                 "a run for its best")
      ->required();
  add_place(app, *options, options->json, false);
  auto* tree = app.add_flag("--tree", options->tree,
                            "Of a run: its tree, with visits, value and best of each subtree");
  app.add_option("--why", options->why,
                 "Of a run: why this node was made, and what came of it (12 or 00012)")
      ->excludes(tree);
  app.add_option("--limit", options->limit,
                 "How many evaluations, children and comparisons of a candidate")
      ->capture_default_str();
  return [options] { return show(*options); };
}

std::function<int()> set_up_runs(CLI::App& app) {
  auto options = std::make_shared<RunsCommand>();
  app.add_option("run", options->run,
                 "Show this run: a research run's id begins with r, a tuning run's with a digit");
  add_place(app, *options, options->json, false);
  app.add_option("--limit", options->limit, "How many lines")
      ->capture_default_str()
      ->check(positive());
  app.add_flag("--follow", options->follow,
               "Show a run that is at work, in another process too, until it ends; with --json a "
               "line for each change");
  return [options] { return runs(*options); };
}

std::function<int()> set_up_best(CLI::App& app) {
  auto options = std::make_shared<Typed<app::BestRequest>>();
  app.add_option("run", options->run, "The run, or a prefix of its id")->required();
  app.add_option("-o,--out", options->out, "The file to write (default: standard output)");
  app.add_flag("--force", options->force, "Overwrite the file, whatever it holds");
  add_place(app, *options, options->json, false);
  return [options] { return best(*options); };
}

std::function<int()> set_up_diff(CLI::App& app) {
  auto options = std::make_shared<Typed<app::DiffRequest>>();
  app.add_option("a", options->a,
                 "A file, the id of a candidate or an evaluation, RUN:00012, or a run for its best")
      ->required();
  app.add_option("b", options->b, "The same, for the other one")->required();
  add_place(app, *options, options->json, false);
  return [options] { return diff(*options); };
}

std::function<int()> set_up_report(CLI::App& app) {
  auto options = std::make_shared<ReportCommand>();
  app.add_option("run", options->run, "The research run, or a prefix of its id")->required();
  app.add_option("-o,--out", options->out,
                 "The Markdown file to write, with the chart beside it as .svg (default: standard "
                 "output, no chart)");
  app.add_flag("--force", options->force,
               "Overwrite both files, whatever they hold: an earlier report, for instance");
  app.add_option("--beside", options->beside, "A control arm: another run of the same task");
  app.add_option("--beside-archive", options->beside_archive,
                 "The archive that has the control arm, where it is another one");
  add_place(app, *options, options->json, false);
  return [options] { return report_run(*options); };
}

std::function<int()> set_up_recheck(CLI::App& app) {
  auto options = std::make_shared<Typed<app::RecheckRequest>>();
  app.add_option("id", options->id,
                 "Of a candidate or an evaluation, RUN:00012, or a run for its best")
      ->required();
  app.add_option("--task", options->task, "The task's folder, where it is not where it was");
  add_time_limit(app, options->limit.seconds, options->limit.first_too);
  add_place(app, *options, options->json);
  app.footer("Exit codes: 0 it holds, 10 it is slower than it was, 1 it is not accepted.");
  return [options] { return recheck(*options); };
}

namespace {

// What `hone findings` and its subcommands share.
void add_about(CLI::App& app, FindingsCommand& command) {
  app.add_option("--task", command.task, "The task's name it is about");
  app.add_option("--device", command.about,
                 "The architecture or device it is about: sm_90a, cpu, ...");
}

}  // namespace

std::function<int()> set_up_findings(CLI::App& app) {
  auto command = std::make_shared<FindingsCommand>();
  using Action = FindingsCommand::Action;
  add_place(app, *command, command->json, false);
  add_about(app, *command);
  app.add_option("--limit", command->limit, "How many at most")
      ->capture_default_str()
      ->check(positive());
  app.require_subcommand(0, 1);
  const auto sub = [&](const char* name, const char* what, Action action) {
    CLI::App* added = app.add_subcommand(name, what);
    added->fallthrough();
    added->callback([command, action] { command->action = action; });
    return added;
  };
  sub("list", "List them, newest first (what `hone findings` alone does)", Action::list);
  CLI::App* adding = sub("add", "Add one, for later prompts", Action::add);
  adding->add_option("text", command->text, "Sentences; - reads standard input")->required();
  CLI::App* editing = sub("edit", "Change one's text; it keeps its id", Action::edit);
  CLI::App* deleting = sub("delete", "Take one out of all later prompts", Action::remove);
  CLI::App* showing = sub("show", "Show one whole, with its source", Action::show);
  for (CLI::App* each : {editing, deleting, showing})
    each->add_option("id", command->id, "Of the finding, or a prefix of one")->required();
  editing->add_option("text", command->text,
                      "The new text; without it $EDITOR is opened, - reads standard input");
  return [command] { return findings(*command); };
}

}  // namespace hone::cli
