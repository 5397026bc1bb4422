#pragma once
// From a folder to a task. Everything wrong with it is said at once, with lines and columns;
// nothing is compiled or run here.
#include <filesystem>

#include "base/result.h"
#include "core/task.h"
#include "task/complaints.h"

namespace hone::task {

// `path` is the folder or the task.toml in it.
base::Result<core::Task, Diagnostics> load_task(const std::filesystem::path& path);

// The static part of `hone task check`: what load_task says, and what is wrong with the plans of
// the seeds and the device references.
Diagnostics check_task(const std::filesystem::path& path);

}  // namespace hone::task
