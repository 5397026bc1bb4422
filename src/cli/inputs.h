#pragma once
// What commands of the command line that are not functions of app/ yet take of it. Goes with the last of them.
#include <filesystem>
#include <vector>

#include "app/inputs.h"
#include "cli/commands.h"
#include "cli/progress.h"

namespace hone::cli {

using app::device_for;
using app::archive_for;
using app::archive_to_read;
using app::depth_from;
using app::point_from;
using app::programs_from;
using app::refuse_to_overwrite;
using app::require_case;
using app::require_device_task;
using app::require_language;
using app::require_programs;
using app::Written;

inline std::string task_folder(const std::string& text) {
  Progress progress(false);
  return app::task_folder(text, progress);
}
inline core::Task task_from(const std::string& path) {
  Progress progress(false);
  return app::task_from(path, progress);
}
inline core::Candidate candidate_for(const core::Task& task, const std::string& path) {
  Progress progress(false);
  return app::candidate_for(task, path, progress);
}

// What a command that writes files answers under --json: {"written": [...]}. Returns 0.
int print_written(const std::vector<std::filesystem::path>& files);

}  // namespace hone::cli
