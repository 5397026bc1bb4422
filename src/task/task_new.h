#pragma once
// Writes a new task: a working skeleton to change, or one made from a kernel somebody has, with "?" wherever only a
// person can decide.
#include <filesystem>
#include <string>
#include <vector>

namespace hone::task {

// Both write into `folder`, which must not exist or be empty; the task is called by its last part. They return the
// files they wrote. Throw Error if the name cannot be a task's, the folder is in use, or the kernel cannot be read.
std::vector<std::filesystem::path> write_new_task(const std::filesystem::path& folder);
std::vector<std::filesystem::path> write_new_task_from(const std::filesystem::path& folder,
                                                       const std::filesystem::path& kernel_file);

}  // namespace hone::task
