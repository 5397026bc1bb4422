#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/files.h"
#include "cli/commands.h"
#include "cli/inputs.h"
#include "core/device_info.h"
#include "export/export.h"
#include "text/format.h"

namespace hone::cli {
using namespace text;
namespace {

using base::ExitCode;
namespace fs = std::filesystem;

constexpr std::uint64_t largest_text = 4u << 20;

exports::ExportFormat format_from(const std::string& name) {
  return name == "kernelbench"  ? exports::ExportFormat::kernelbench
         : name == "gpumode"    ? exports::ExportFormat::gpumode
         : name == "torch"      ? exports::ExportFormat::torch
         : name == "hf-kernels" ? exports::ExportFormat::hub
                                : exports::ExportFormat::own;
}

std::vector<exports::ExportedFile> python_files(const ExportCommand& command) {
  const auto format = format_from(command.format);
  if (format == exports::ExportFormat::torch) {
    if (command.task.empty())
      base::fail(ExitCode::usage, "the task is missing: `hone export TASK CANDIDATE` (it says what {} takes and gives)",
                 command.candidate);
    const core::Task task = task_from(command.task);
    return exports::export_python_as_torch(task, candidate_for(task, command.candidate));
  }
  if (format != exports::ExportFormat::kernelbench && format != exports::ExportFormat::gpumode)
    base::fail(ExitCode::usage, "{} is Python: give --format kernelbench, --format gpumode or --format torch",
               command.candidate);
  return exports::export_python_text(command.candidate, base::read_file(command.candidate, largest_text), format);
}

// Files, and the name of the folder for them where none was given.
std::vector<exports::ExportedFile> device_files(const ExportCommand& command, std::string& folder) {
  if (command.task.empty())
    base::fail(ExitCode::usage,
               "the task is missing: `hone export TASK CANDIDATE` (a plan is for the tensors of a task)");
  const core::Task task = task_from(command.task);
  require_device_task(task);
  const core::Candidate candidate = candidate_for(task, command.candidate);
  const std::string language(core::name_of(candidate.language));
  const auto format = format_from(command.format);
  if (format == exports::ExportFormat::own && !command.format.empty() && command.format != language)
    base::fail(ExitCode::usage, "--format {}: {} is {} source, and is exported as that", command.format, candidate.name,
               language);
  folder = task.name + "-" + (command.format.empty() ? language : command.format);
  return exports::export_candidate(task, candidate, point_from(candidate, command.set), format);
}

}  // namespace

int export_candidate(const ExportCommand& given) {
  ExportCommand command = given;
  if (given.candidates.size() == 2) {
    if (!given.task.empty())
      base::fail(ExitCode::usage, "a task is given twice: {} and --task {}", given.candidates[0], given.task);
    command.task = given.candidates[0];
  }
  command.candidate = given.candidates.back();
  const bool python = command.candidate.ends_with(".py");
  std::string name = fs::path(command.candidate).stem().string() + "-" + command.format;
  if (std::error_code ec; python && fs::is_directory(command.task, ec))
    name = task_from(command.task).name + "-" + command.format;
  const auto files = python ? python_files(command) : device_files(command, name);
  const fs::path folder = command.out.empty() ? fs::path(name) : fs::path(command.out);
  std::vector<Written> places;
  for (const auto& file : files) places.push_back({folder / file.name, file.text});
  if (!command.force) refuse_to_overwrite(places, "--out");
  base::make_folder(folder);
  std::vector<fs::path> written;
  for (const auto& file : files) {
    base::make_folder((folder / file.name).parent_path());
    base::write_file_atomically(folder / file.name, file.text);
    written.push_back(folder / file.name);
    for (const auto& note : file.notes) fmt::print(stderr, "note: {}: {}\n", printable(file.name), printable(note));
  }
  if (command.json) return print_written(written);
  for (const auto& file : written) fmt::print("{}\n", printable(file.string()));
  return 0;
}

}  // namespace hone::cli
