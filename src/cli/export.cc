#include <fmt/format.h>

#include "base/error.h"
#include "base/files.h"
#include "cli/commands.h"
#include "cli/format.h"
#include "cli/inputs.h"
#include "core/device_info.h"
#include "run/export.h"

namespace hone::cli {

int export_candidate(const ExportCommand& command) {
  const core::Task task = task_from(command.task);
  require_device_task(task);
  const core::Candidate candidate = candidate_from(command.candidate);
  const std::string language(core::name_of(candidate.language));
  if (!command.format.empty() && command.format != language)
    base::fail(base::ExitCode::usage, "--format {}: {} is {} source, and is exported as that", command.format,
               candidate.name, language);
  const auto files = run::export_candidate(task, candidate, point_from(candidate, command.set));
  const std::filesystem::path folder =
      command.out.empty() ? std::filesystem::path(task.name + "-" + language) : std::filesystem::path(command.out);
  base::make_folder(folder);
  for (const auto& file : files) base::write_file_atomically(folder / file.name, file.text);
  std::vector<std::filesystem::path> written;
  for (const auto& file : files) written.push_back(folder / file.name);
  if (command.json) return print_written(written);
  for (const auto& file : written) fmt::print("{}\n", printable(file.string()));
  return 0;
}

}  // namespace hone::cli
