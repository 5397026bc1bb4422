#include "mcp/place.h"

#include <fmt/format.h>

#include "adapters/function_task.h"
#include "adapters/gpumode.h"
#include "adapters/kernelbench.h"
#include "base/error.h"
#include "base/fields.h"

namespace hone::mcp {
namespace {

namespace fs = std::filesystem;
using base::ExitCode;

constexpr std::size_t longest_path = 1024;
constexpr int most_entries = 10'000;  // of a task's folder

bool is_inside(const fs::path& folder, const fs::path& path) {
  const auto relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

[[noreturn]] void refuse(const Place& place, const std::string& path, const char* argument) {
  base::fail(ExitCode::bad_input,
             "\"{}\": {} is outside of {}, the one folder that this server reads and writes: copy "
             "what is needed into it, or start `hone mcp --folder` with another",
             argument, path, place.folder.string());
}

void refuse_links_out_of(const Place& place, const fs::path& folder, const char* argument) {
  std::error_code ec;
  int entries = 0;
  for (auto at = fs::recursive_directory_iterator(folder, ec);
       !ec && at != fs::recursive_directory_iterator(); at.increment(ec)) {
    if (++entries > most_entries)
      base::fail(ExitCode::bad_input, "\"{}\": {} has more than {} files: that is no task",
                 argument, folder.string(), most_entries);
    if (!at->is_symlink()) continue;
    const fs::path target = fs::weakly_canonical(at->path(), ec);
    if (ec || !is_inside(place.folder, target)) refuse(place, at->path().string(), argument);
  }
}

}  // namespace

void describe(base::Fields& f, Place& place) {
  f("folder", place.folder)("device", place.common.device)("archive", place.common.archive);
  f("unsafe", place.common.unsafe)("models", place.models)("prices", place.prices);
  f("max_usd", place.max_usd);
}

Place place_at(const fs::path& folder) {
  std::error_code ec;
  Place place;
  place.folder = fs::canonical(folder, ec);
  if (ec || !fs::is_directory(place.folder, ec))
    base::fail(ExitCode::usage, "--folder {}: there is no such folder", folder.string());
  return place;
}

namespace {

// Settings of programs, versions of git and their like are not for tools.
bool is_hidden(const fs::path& relative) {
  for (const auto& part : relative)
    if (part.string().starts_with('.') && part != "." && part != "..") return true;
  return false;
}

std::string located(const Place& place, const std::string& path, const char* argument) {
  if (path.empty())
    base::fail(ExitCode::usage, "\"{}\" is empty: give a path, relative to {}", argument,
               place.folder.string());
  // A colon would make it the name of something else: kernelbench:level1/1, gpumode:/etc.
  const std::string_view refused(":\0", 2);
  if (path.size() > longest_path || path.find_first_of(refused) != std::string::npos)
    base::fail(ExitCode::usage,
               "\"{}\" is no path: it is longer than {} bytes, or holds a colon or a zero",
               argument, longest_path);
  std::error_code ec;
  const fs::path whole = fs::weakly_canonical(place.folder / path, ec);
  if (ec || !is_inside(place.folder, whole)) refuse(place, path, argument);
  const fs::path relative = whole.lexically_relative(place.folder);
  if (is_hidden(relative))
    base::fail(ExitCode::bad_input,
               "\"{}\": {} is hidden, and tools read and write no hidden files", argument, path);
  return relative.string();
}

}  // namespace

std::string listed_inside(const Place& place, const std::string& path, const char* argument) {
  return located(place, path, argument);
}

std::string inside(const Place& place, const std::string& path, const char* argument) {
  std::string relative = located(place, path, argument);
  std::error_code ec;
  const fs::path whole = place.folder / relative;
  if (fs::is_directory(whole, ec)) refuse_links_out_of(place, whole, argument);
  return relative;
}

std::string task_inside(const Place& place, const std::string& task) {
  if (adapters::kernelbench_problem(task)) return task;
  if (const auto folder = adapters::gpumode_folder(task))
    return "gpumode:" + inside(place, folder->string(), "task");
  return inside(place, task, "task");
}

std::string candidate_inside(const Place& place, const std::string& path, const char* argument) {
  const fs::path file = inside(place, path, argument);
  const std::string ending = file.extension().string();
  if (ending != ".cl" && ending != ".cu" && ending != ".py" && ending != ".fake")
    base::fail(ExitCode::usage, "\"{}\": {}: a candidate is a .cl, .cu or .py file", argument,
               file.string());
  std::error_code ec;
  if (file.stem() == "reference" && fs::exists(place.folder / file.parent_path() / "task.toml", ec))
    base::fail(ExitCode::bad_input,
               "\"{}\": {} is the reference of a task, by which candidates are judged: choose "
               "another name",
               argument, file.string());
  return file.string();
}

std::string file_and_function_inside(const Place& place, const std::string& text,
                                     const char* argument) {
  const auto [file, function] = adapters::file_and_function(text);
  const std::string path = inside(place, file.string(), argument);
  return function.empty() ? path : fmt::format("{}:{}", path, function);
}

}  // namespace hone::mcp
