#include "task/task_new.h"

#include <fmt/format.h>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/format.h"
#include "cli/inputs.h"

namespace hone::cli {

int task_new(const TaskNewOptions& options) {
  const auto files =
      options.from.empty() ? task::write_new_task(options.name) : task::write_new_task_from(options.name, options.from);
  if (options.json) return print_written({files.begin(), files.end()});
  for (const auto& file : files) fmt::print("wrote {}\n", printable(file.string()));
  const std::string seed = options.name + "/seed" + std::filesystem::path(options.from).extension().string();
  if (options.from.empty())
    fmt::print("It works as it is. Change it to what you need, then: hone task check {}\n", printable(options.name));
  else
    fmt::print(
        "The launch plan stands in a copy of your kernel, {}; {} stays as it is, and is judged with that plan.\nWhere "
        "it "
        "says \"?\" only you can decide. hone task check {} lists what is left to do.\n",
        printable(seed), printable(options.from), printable(options.name));
  return static_cast<int>(base::ExitCode::ok);
}

}  // namespace hone::cli
