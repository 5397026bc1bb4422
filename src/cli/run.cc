// `hone run` and `hone resume`: see app/run.h.
#include "app/run.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/estimate_text.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/run_view.h"
#include "cli/streams.h"
#include "text/format.h"

namespace hone::cli {
using namespace text;
namespace {

namespace fs = std::filesystem;
using base::ExitCode;

// What a person has to do, in this order.
std::string how_to_go_on(const run::RunSettings& settings, const std::string& run) {
  std::string text;
  if (!settings.executor.empty())
    text = fmt::format(
        "    hone bundle pack {0} -o bundle.hone   # then, where the GPU is:\n"
        "    hone bundle run bundle.hone -o results.hone\n"
        "    hone bundle import {0} results.hone   # here again\n",
        app::bundle_folder(settings));
  return text + fmt::format("    hone resume {}\n", run);
}

ExitCode code_of(const app::RunDone& done, bool interrupted) {
  const run::RunResult& result = done.result;
  if (result.state == store::RunState::away) return ExitCode::away;
  if (result.state == store::RunState::stopped)
    return interrupted ? ExitCode::interrupted : ExitCode::environment;
  if (done.settings.budget.usd > 0 && result.status.spending.calls == 0)
    base::fail(ExitCode::usage, "nothing was asked: {}. Allow more with --max-usd", result.stopped);
  if (result.best) return ExitCode::ok;
  return result.certification ? exit_code(result.certification->record.evaluation.outcome)
                              : ExitCode::not_accepted;
}

int print(const app::RunDone& done, bool as_json, bool interrupted) {
  const run::RunResult& result = done.result;
  if (as_json) {
    put_json(done);
  } else {
    put(result_text(result, screen_of(stdout)));
    if (result.state == store::RunState::away)
      put(how_to_go_on(done.settings, result.run));
    else if (result.state == store::RunState::stopped)
      fmt::print("Nothing that was answered or measured is lost. Go on with:\n    hone resume {}\n",
                 result.run);
  }
  return static_cast<int>(code_of(done, interrupted));
}

// Without a model there is still the tuner.
int tune_instead(const RunCommand& command) {
  Progress progress(command.json);
  const auto seed = app::tunable_seed(command, progress);
  if (!seed) base::fail(ExitCode::usage, "{}{}", app::how_to_get_a_model, seed.error());
  std::fputs(app::how_to_get_a_model, stderr);
  if (command.dry_run) {  // no model: no calls, no tokens, no dollars
    std::fprintf(stderr,
                 "Without --dry-run, %s would be tuned in the meantime, which needs none.\n",
                 seed->c_str());
    if (command.json) put_json(app::TuningInstead{*seed});
    return static_cast<int>(ExitCode::ok);
  }
  std::fprintf(stderr, "Tuning %s in the meantime, which needs none.\n", seed->c_str());
  Typed<app::TuneRequest> tuning;
  static_cast<app::CommonOptions&>(tuning) = command;
  tuning.json = command.json;
  tuning.task = command.task;
  tuning.candidate = *seed;
  tuning.max_minutes = command.budget.minutes;
  tuning.limit.seconds = command.time_limit.value_or(tuning.limit.seconds);
  const fs::path file(*seed), folder(command.task);
  const std::string name =
      (folder.has_filename() ? folder : folder.parent_path()).filename().string();
  tuning.out = (fs::current_path() / (name + ".tuned" + file.extension().string())).string();
  return tune(tuning);
}

}  // namespace

int run(const RunCommand& command) {
  if (!app::has_model(command)) return tune_instead(command);
  if (command.dry_run) {
    Progress progress(command.json);
    const auto estimate = app::estimate(command, progress);
    put(command.json ? base::json_text(estimate) : estimate_text(estimate));
    return 0;
  }
  LiveView view(command.json);
  const auto done =
      app::run(command, view, [&](const run::RunStatus& status) { view.show(status); });
  view.erase();
  return print(done, command.json, view.cancelled());
}

int resume(const ResumeCommand& command) {
  LiveView view(command.json);
  const auto done =
      app::resume(command, view, [&](const run::RunStatus& status) { view.show(status); });
  view.erase();
  return print(done, command.json, view.cancelled());
}

}  // namespace hone::cli
