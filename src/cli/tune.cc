#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/resources.h"
#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/tune_report.h"
#include "judge/ceilings.h"
#include "run/interrupt.h"
#include "run/tune.h"

namespace hone::cli {
using namespace text;
namespace {

namespace fs = std::filesystem;
using base::ExitCode;

// The result is written after minutes or hours: whether it can be is asked before.
fs::path checked_out(const TuneCommand& command) {
  fs::path out = command.out;
  if (out.empty()) {
    const fs::path candidate = command.candidate;
    out = candidate.parent_path() / (candidate.stem().string() + ".tuned" + candidate.extension().string());
  }
  const fs::path folder = out.has_parent_path() ? out.parent_path() : fs::path(".");
  if (out.extension() != fs::path(command.candidate).extension())
    base::fail(ExitCode::usage, "--out {}: the result is a {} file like the candidate", out.string(),
               fs::path(command.candidate).extension().string());
  if (std::error_code ec; fs::is_directory(out, ec))
    base::fail(ExitCode::usage, "--out {}: that is a folder; give a file", out.string());
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    base::fail(ExitCode::environment, "the result could not be written to {}: {}; say where with --out FILE",
               folder.string(), base::errno_text());
  return out;
}

}  // namespace

int tune(const TuneCommand& command) {
  const run::Interrupt interrupt;
  const core::Task task = task_from(command.task);
  require_device_task(task);
  const core::Candidate candidate = candidate_for(task, command.candidate);
  require_case(task, command.case_name);
  run::TuneOptions options;
  options.out = checked_out(command);
  options.force = command.force;
  const core::DeviceInfo info = device_for(command, candidate);
  auto archive = archive_for(command);
  options.task_path = task.folder;
  options.candidate_path = command.candidate;
  options.case_name = command.case_name;
  options.max_evals = command.max_evals;
  options.max_minutes = command.max_minutes;
  options.seed = command.seed;
  options.start = command.resume  ? run::TuneOptions::Start::resume
                  : command.fresh ? run::TuneOptions::Start::fresh
                                  : run::TuneOptions::Start::resume_if_possible;
  if (!base::resource_folder().empty()) options.pass_on = {"--resources", base::resource_folder().string()};
  options.child_options = {"--archive", archive.path().string()};

  Progress progress(command.json);
  std::string line;  // the newest status, which the judge's progress is appended to on a terminal
  run::TuneWatcher watcher;
  watcher.say = [&](const std::string& text) { progress.step({line = text, {}, {}}); };
  const auto began = std::chrono::steady_clock::now();
  watcher.point = [&](const run::TuneStatus& status) {
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - began;
    const std::string left = time_left(status, taken.count(), 60 * command.max_minutes);
    progress.say(line = status_line(status) + (left.empty() ? "" : "; " + left));
  };
  options.judging.unsafe = command.unsafe;
  options.judging.call_seconds = command.time_limit;
  options.judging.progress = [&](const std::string& text) {
    if (progress.terminal())
      progress.step({line + " · " + text, {}, {}});
    else if (!text.starts_with("case "))
      progress.step({text, {}, {}});  // plain lines are for what lasts
  };
  options.judging.ceilings = judge::ceilings_of(info, true, {command.unsafe, options.judging.progress});
  const run::TuneResult result = run::tune(archive, task, candidate, info, options, watcher, interrupt.flag());
  progress.step({});
  if (command.json)
    std::fputs(tune_json(result, task, candidate, info).c_str(), stdout);
  else
    std::fputs(tune_report(result, candidate, info, screen_of(stdout)).c_str(), stdout);
  if (result.interrupted) return static_cast<int>(ExitCode::interrupted);
  return static_cast<int>(result.status.best_seconds    ? ExitCode::ok
                          : result.status.undecided > 0 ? ExitCode::undecided
                                                        : ExitCode::not_accepted);
}

}  // namespace hone::cli
