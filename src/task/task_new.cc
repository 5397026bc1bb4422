#include "task/task_new.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/files.h"
#include "base/resources.h"
#include "task/borrowed_plan.h"
#include "task/candidate_loader.h"
#include "task/complaints.h"
#include "task/plan_comment.h"
#include "task/task_draft.h"

namespace hone::task {
namespace fs = std::filesystem;
namespace {

using base::ExitCode;

// The task's name by its folder.
std::string name_of_task(const fs::path& folder) {
  const fs::path plain = folder.has_filename() ? folder : folder.parent_path();
  const std::string name = plain.filename().string();
  const bool good = !name.empty() && name.size() <= 64 && name[0] != '-' &&
                    std::all_of(name.begin(), name.end(), [](unsigned char c) {
                      return c < 0x80 && (std::isalnum(c) || c == '_' || c == '-');
                    });
  if (!good)
    base::fail(ExitCode::bad_input,
               "{} cannot be a task's name: it has letters, digits, - and _, 64 at most",
               quote(name));
  return name;
}

void must_be_free(const fs::path& folder) {
  std::error_code ec;
  if (!fs::exists(fs::symlink_status(folder, ec))) return;
  if (fs::is_directory(folder, ec) && fs::is_empty(folder, ec) && !ec) return;
  base::fail(ExitCode::bad_input, "{} is already there: choose another name, or remove it first",
             folder.string());
}

std::vector<Kernel> kernels_in(const std::string& source, core::Language language,
                               const fs::path& file) {
  const bool cuda = language == core::Language::cuda;
  const auto kernels = scan_kernels(source, language);
  if (kernels.empty())
    base::fail(ExitCode::bad_input, "{}: there is no kernel in it: Hone looked for {} functions",
               file.string(), cuda ? "__global__" : "__kernel");
  for (const auto& kernel : kernels)
    if (kernel.is_template)
      base::fail(ExitCode::bad_input,
                 "{}:{}: the kernel {} is a template, which cannot be launched by its name: write "
                 "a plain extern \"C\" __global__ function that calls it",
                 file.string(), kernel.line, quote(kernel.name));
  return kernels;
}

// A kernel's text and its kernels.
struct KernelFile {
  core::Language language;
  std::string source;
  std::vector<Kernel> kernels;
};

KernelFile read_kernel(const fs::path& file) {
  const std::string ending = file.extension().string();
  if (ending != ".cu" && ending != ".cl")
    base::fail(ExitCode::bad_input,
               "{}: a task starts from a CUDA (.cu), OpenCL (.cl) or Python (.py) source",
               file.string());
  const auto language = ending == ".cu" ? core::Language::cuda : core::Language::opencl;
  const auto source = read_source(file);
  if (!source) base::fail(ExitCode::bad_input, "{}", render_with_sources(source.error()));
  return {language, *source, kernels_in(*source, language, file)};
}

std::string with_plan(const KernelFile& file, const Draft& draft,
                      const std::vector<Kernel>& named) {
  const std::string seed = file.language == core::Language::cuda
                               ? with_plain_names(file.source, file.kernels)
                               : file.source;
  return has_plan(seed) ? seed : draft_plan(draft, named) + seed;
}

}  // namespace

std::vector<fs::path> write_new_task(const fs::path& folder) {
  const std::string name = name_of_task(folder);
  must_be_free(folder);
  const std::string prefix = "task/skeleton/", mark = "@NAME@";
  std::vector<std::pair<std::string, std::string>> files;
  for (const auto& resource : base::resource_names(prefix)) {
    std::string text = base::resource(resource);
    for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at))
      text.replace(at, mark.size(), name);
    files.emplace_back(resource.substr(prefix.size()), std::move(text));
  }
  return write_task_files(folder, files);
}

std::string name_for_new_task(const fs::path& folder) {
  std::string name = name_of_task(folder);
  must_be_free(folder);
  return name;
}

std::vector<fs::path> write_task_files(
    const fs::path& folder, const std::vector<std::pair<std::string, std::string>>& files) {
  base::make_folder(folder);
  std::vector<fs::path> written;
  for (const auto& [name, text] : files) {
    base::write_file_atomically(folder / name, text);
    written.push_back(folder / name);
  }
  return written;
}

std::string seed_for(const fs::path& kernel_file, const core::Task& task) {
  const KernelFile file = read_kernel(kernel_file);
  const std::vector<Kernel> named = named_for(file.kernels, task);
  Draft draft = draft_from(named);
  for (const auto& [symbol, value] : task.cases.front().bindings) draft.symbols.push_back(symbol);
  std::erase_if(draft.scratch,
                [&](const DraftTensor& tensor) { return is_tensor(task, tensor.name); });
  return with_plan(file, draft, named);
}

std::vector<fs::path> write_new_task_from(const fs::path& folder, const fs::path& kernel_file) {
  const std::string name = name_of_task(folder), ending = kernel_file.extension().string();
  const KernelFile file = read_kernel(kernel_file);
  must_be_free(folder);
  const Draft draft = draft_from(file.kernels);
  return write_task_files(folder, {{"task.toml", draft_task_toml(draft, name)},
                                   {"reference.cc", draft_reference(draft)},
                                   {"seed" + ending, with_plan(file, draft, file.kernels)}});
}

}  // namespace hone::task
