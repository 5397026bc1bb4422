#include "app/export.h"

#include "app/inputs.h"
#include "base/error.h"
#include "base/fields.h"
#include "base/files.h"
#include "core/device_info.h"
#include "export/export.h"

namespace hone::app {
namespace {

using base::ExitCode;
using exports::ExportFormat;
namespace fs = std::filesystem;

constexpr std::uint64_t largest_text = 4u << 20;

// What is to be written, and the name of the folder for it where none was given.
struct Exported {
  std::vector<exports::ExportedFile> files;
  std::string folder;
};

ExportFormat format_from(const std::string& name) {
  if (name.empty() || name == "cuda" || name == "opencl") return ExportFormat::own;
  if (name == "kernelbench") return ExportFormat::kernelbench;
  if (name == "gpumode") return ExportFormat::gpumode;
  if (name == "torch") return ExportFormat::torch;
  if (name == "hf-kernels") return ExportFormat::hub;
  base::fail(ExitCode::usage,
             "--format {}: it is cuda, opencl, torch, hf-kernels, kernelbench or gpumode", name);
}

std::vector<exports::ExportedFile> python_files(const ExportRequest& request, Sink& sink) {
  const auto format = format_from(request.format);
  if (format == ExportFormat::torch) {
    if (request.task.empty())
      base::fail(
          ExitCode::usage,
          "the task is missing: `hone export TASK CANDIDATE` (it says what {} takes and gives)",
          request.candidate);
    const core::Task task = task_from(request.task, sink);
    return exports::export_python_as_torch(task, candidate_for(task, request.candidate, sink));
  }
  if (format != ExportFormat::kernelbench && format != ExportFormat::gpumode)
    base::fail(ExitCode::usage,
               "{} is Python: give --format kernelbench, --format gpumode or --format torch",
               request.candidate);
  return exports::export_python_text(request.candidate,
                                     base::read_file(request.candidate, largest_text), format);
}

Exported export_python(const ExportRequest& request, Sink& sink) {
  std::error_code ec;
  const std::string name = fs::is_directory(request.task, ec)
                               ? task_from(request.task, sink).name
                               : fs::path(request.candidate).stem().string();
  return {python_files(request, sink), name + "-" + request.format};
}

Exported export_device(const ExportRequest& request, Sink& sink) {
  if (request.task.empty())
    base::fail(
        ExitCode::usage,
        "the task is missing: `hone export TASK CANDIDATE` (a plan is for the tensors of a task)");
  const core::Task task = task_from(request.task, sink);
  require_device_task(task);
  const core::Candidate candidate = candidate_for(task, request.candidate, sink);
  const std::string language(core::name_of(candidate.language));
  const auto format = format_from(request.format);
  if (format == ExportFormat::own && !request.format.empty() && request.format != language)
    base::fail(ExitCode::usage, "--format {}: {} is {} source, and is exported as that",
               request.format, candidate.name, language);
  return {exports::export_candidate(task, candidate, point_from(candidate, request.set), format),
          task.name + "-" + (request.format.empty() ? language : request.format)};
}

}  // namespace

ExportResult export_candidate(const ExportRequest& request, Sink& sink) {
  const Exported exported = request.candidate.ends_with(".py") ? export_python(request, sink)
                                                               : export_device(request, sink);
  const fs::path folder = request.out.empty() ? fs::path(exported.folder) : fs::path(request.out);
  std::vector<Written> places;
  for (const auto& file : exported.files) places.push_back({folder / file.name, file.text});
  if (!request.force) refuse_to_overwrite(places, "--out");
  base::make_folder(folder);
  ExportResult result;
  for (const auto& file : exported.files) {
    const fs::path path = folder / file.name;
    base::make_folder(path.parent_path());
    base::write_file_atomically(path, file.text);
    result.files.push_back({path, file.name, file.notes});
  }
  return result;
}

void describe(base::Fields& f, const ExportResult& result) {
  std::vector<std::filesystem::path> written;
  for (const auto& file : result.files) written.push_back(file.path);
  f("written", std::move(written));
}

}  // namespace hone::app
