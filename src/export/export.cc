#include "export/export.h"

#include <filesystem>

#include "base/error.h"
#include "export/cpp_text.h"
#include "export/formats.h"
#include "export/light_loader.h"
#include "export/rules.h"
#include "task/plan_parser.h"

namespace hone::exports {

using base::ExitCode;

std::vector<ExportedFile> export_candidate(const core::Task& task, const core::Candidate& candidate,
                                           const core::Point& point, ExportFormat format) {
  core::Candidate checked = candidate;
  if (const auto problems = task::check_plan(checked.plan, task, candidate.name); !problems.empty())
    base::fail(ExitCode::bad_input, "{}", base::render(problems, candidate.source));
  const Exporting exporting{task, checked, point, cpp_name(task.name), symbols_in_order(task)};
  if (format != ExportFormat::own && candidate.language != core::Language::cuda)
    base::fail(ExitCode::bad_input, "{} is {} source; this format is for CUDA and Python",
               candidate.name, core::name_of(candidate.language));
  if (format == ExportFormat::kernelbench) return export_kernelbench(exporting);
  if (format == ExportFormat::gpumode) return export_gpumode(exporting);
  if (format == ExportFormat::torch) return export_torch(exporting);
  if (core::has_operations(candidate.plan))
    base::fail(ExitCode::bad_input,
               "{} calls operations of torch's, which C++ without torch cannot: export it with "
               "--format torch, kernelbench or gpumode",
               candidate.name);
  if (format == ExportFormat::hub) return export_hub(exporting);
  if (candidate.language == core::Language::cuda) return export_cuda(exporting);
  if (candidate.language == core::Language::opencl) return export_opencl(exporting);
  base::fail(ExitCode::bad_input, "{} is {} source, for which there is no export", candidate.name,
             core::name_of(candidate.language));
}

std::vector<ExportedFile> export_python_text(const std::string& name, const std::string& text,
                                             ExportFormat format) {
  const bool kernelbench = format == ExportFormat::kernelbench;
  const char* entry = kernelbench ? "class ModelNew" : "def custom_kernel";
  if (text.find(entry) == std::string::npos)
    base::fail(ExitCode::bad_input, "{} has no `{}`, which {} calls", name, entry,
               kernelbench ? "KernelBench" : "GPU MODE");
  ExportedFile file{std::filesystem::path(name).stem().string() +
                        (kernelbench ? "_kernelbench.py" : "_gpumode.py"),
                    python_with_loader(text, format),
                    {}};
  file.notes = broken_rules(file.text, format, false);
  return {file};
}

}  // namespace hone::exports
