// `hone profile`: see app/profile.h.
#include "app/profile.h"

#include <cstdio>

#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/streams.h"
#include "text/evaluation_text.h"
#include "text/profile_text.h"

namespace hone::cli {
using namespace text;
namespace {

using base::ExitCode;

void print_profile(const app::ProfileResult& result) {
  const Screen screen = screen_of(stdout);
  if (!result.profile) {
    put(evaluation_report(result.refusal, result.device, screen));
    std::fputs("Only an accepted candidate is profiled.\n", stdout);
    return;
  }
  put(profile_text(*result.profile, screen));
  if (!result.id.empty())
    std::printf("recorded as %s (`hone show %s` has every metric)\n", result.id.c_str(),
                result.id.c_str());
}

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
  if (command.json)
    put_json(result);
  else
    print_profile(result);
  if (result.not_recorded) return tell(*result.not_recorded);
  return static_cast<int>(result.profile ? ExitCode::ok : exit_code(result.refusal.outcome));
}

}  // namespace hone::cli
