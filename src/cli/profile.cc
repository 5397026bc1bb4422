// `hone profile`: see app/profile.h.
#include "app/profile.h"

#include <fmt/format.h>

#include <cstdio>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/failure.h"
#include "cli/progress.h"
#include "cli/results.h"
#include "cli/streams.h"
#include "text/evaluation_text.h"
#include "text/profile_text.h"

namespace hone::cli {
using namespace text;
using base::ExitCode;

std::string profiled_text(const app::ProfileResult& result, const Screen& screen) {
  if (!result.profile)
    return evaluation_report(result.refusal, result.device, screen) +
           "Only an accepted candidate is profiled.\n";
  std::string out = profile_text(*result.profile, screen);
  if (!result.id.empty())
    out += fmt::format("recorded as {0} (`hone show {0}` has every metric)\n", result.id);
  return out;
}

namespace {

int profile_again(const ProfileCommand& command) {
  if (!command.task.empty() || command.energy || command.sanitize || !command.set.empty() ||
      !command.case_name.empty())
    base::fail(
        ExitCode::usage,
        "--again explains what was recorded: leave out the task, --case, --set and what measures");
  const auto result = app::explain_again({command, command.again, command.tools});
  if (command.json) {
    put_json(result);
  } else {
    put(profile_text(result.profile, screen_of(stdout)));
    std::printf("explained again from the recording %s\n", result.id.c_str());
  }
  return static_cast<int>(ExitCode::ok);
}

}  // namespace

int profile(const ProfileCommand& command) {
  if (!command.again.empty()) return profile_again(command);
  if (command.task.empty() || command.candidate.empty())
    base::fail(ExitCode::usage,
               "a task's folder and a candidate are needed (or --again with a recorded profile)");
  Progress progress(command.json);
  const auto result = app::profile(command, progress);
  put(command.json ? base::json_text(result) : profiled_text(result, screen_of(stdout)));
  if (result.not_recorded) return tell(*result.not_recorded);
  return static_cast<int>(exit_code(result));
}

}  // namespace hone::cli
