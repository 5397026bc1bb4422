#include "task/task_new.h"

#include <fmt/format.h>

#include "adapters/function_task.h"
#include "base/error.h"
#include "cli/commands.h"
#include "cli/inputs.h"
#include "text/format.h"

namespace hone::cli {
using namespace text;

namespace {

// From a function of torch or NumPy.
int function_task(const TaskNewOptions& options) {
  Progress progress(options.json);
  const auto [from, entry] = adapters::file_and_function(options.from);
  const auto [reference, function] = adapters::file_and_function(options.reference);
  const auto made = adapters::write_function_task(
      {options.name, from, reference, entry, function, options.example, options.seconds}, [&](const std::string& text) {
        progress.step({text, {}, {}});
      });
  progress.step({});
  if (options.json) return print_written({made.files.begin(), made.files.end()});
  for (const auto& file : made.files) fmt::print("wrote {}\n", printable(file.string()));
  for (const auto& note : made.notes) fmt::print("note: {}\n", printable(note));
  fmt::print("The cases and the tolerance are proposals: look at {}/task.toml, then: hone task check {}\n",
             printable(options.name), printable(options.name));
  return static_cast<int>(base::ExitCode::ok);
}

}  // namespace

int task_new(const TaskNewOptions& options) {
  if (options.from.empty() && !(options.reference.empty() && options.example.empty()))
    base::fail(base::ExitCode::usage, "--reference and --example go with --from FILE, the kernel");
  if (adapters::file_and_function(options.from).first.extension() == ".py" || !options.reference.empty() ||
      !options.example.empty())
    return function_task(options);
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
