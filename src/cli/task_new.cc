// `hone task new`: see app/task_new.h.
#include "app/task_new.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/streams.h"
#include "text/format.h"

namespace hone::cli {
using namespace text;
namespace {

// What is left for the user to do.
std::string next_steps(const app::TaskNewRequest& request, const app::TaskNewResult& result) {
  const std::string folder = printable(request.folder);
  switch (result.made) {
    case app::TaskNewResult::Made::from_function:
      return fmt::format(
          "The cases and the tolerance are proposals: look at {}/task.toml, then: hone task check "
          "{}\n",
          folder, folder);
    case app::TaskNewResult::Made::from_kernel:
      return fmt::format(
          "The launch plan stands in a copy of your kernel, {}; {} stays as it is, and is judged "
          "with that plan.\n"
          "Where it says \"?\" only you can decide. hone task check {} lists what is left to do.\n",
          printable(request.folder + "/seed" +
                    std::filesystem::path(request.from).extension().string()),
          printable(request.from), folder);
    default:
      return fmt::format(
          "It works as it is. Change it to what you need, then: hone task check {}\n", folder);
  }
}

}  // namespace

int task_new(const Typed<app::TaskNewRequest>& command) {
  Progress progress(command.json);
  const auto result = app::new_task(command, progress);
  if (command.json) {
    put_json(result);
  } else {
    for (const auto& file : result.files) fmt::print("wrote {}\n", printable(file.string()));
    for (const auto& note : result.notes) fmt::print("note: {}\n", printable(note));
    fmt::print("{}", next_steps(command, result));
  }
  return static_cast<int>(base::ExitCode::ok);
}

}  // namespace hone::cli
