#include "base/resources.h"

#include <set>

#include "base/embedded.h"
#include "base/error.h"
#include "base/files.h"
#include "base/project_files.h"

namespace hone::base {
namespace fs = std::filesystem;
namespace {

fs::path& chosen_folder() {
  static fs::path folder;
  return folder;
}

std::vector<fs::path> override_folders() {
  std::vector<fs::path> folders;
  if (!chosen_folder().empty()) folders.push_back(chosen_folder());
  if (std::error_code ec; project_files_count() && fs::is_directory(".hone/resources", ec))
    folders.emplace_back(".hone/resources");
  return folders;
}

}  // namespace

void set_resource_folder(const fs::path& folder) {
  if (std::error_code ec; !fs::is_directory(folder, ec))
    fail(ExitCode::bad_input,
         "--resources {}: there is no such folder (make one with: hone resources export {})",
         folder.string(), folder.string());
  chosen_folder() = folder;
}

const fs::path& resource_folder() { return chosen_folder(); }

std::optional<std::string> find_resource(const std::string& name) {
  for (const auto& folder : override_folders())
    if (std::error_code ec; fs::is_regular_file(folder / name, ec)) return read_file(folder / name);
  for (const EmbeddedFile* file = embedded_files; file->name != nullptr; ++file)
    if (name == file->name) return std::string(file->begin, file->end);
  return std::nullopt;
}

std::string resource(const std::string& name) {
  if (auto text = find_resource(name)) return *std::move(text);
  fail(ExitCode::environment, "the resource {} is missing from this binary", name);
}

std::vector<std::string> resource_names(const std::string& prefix) {
  std::set<std::string> names;
  for (const EmbeddedFile* file = embedded_files; file->name != nullptr; ++file)
    if (std::string_view(file->name).starts_with(prefix)) names.insert(file->name);
  for (const auto& folder : override_folders())
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (const auto name = fs::relative(entry.path(), folder).string();
          entry.is_regular_file() && name.starts_with(prefix))
        names.insert(name);
  return {names.begin(), names.end()};
}

void export_resources(const fs::path& folder) {
  for (const EmbeddedFile* file = embedded_files; file->name != nullptr; ++file) {
    const fs::path target = folder / file->name;
    make_folder(target.parent_path());
    write_file_atomically(target, std::string(file->begin, file->end));
  }
}

}  // namespace hone::base
