#pragma once
// Writes a new task: a working skeleton to change, or one made from a user's kernel, with "?"
// wherever only a person can decide.
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/task.h"

namespace hone::task {

// Both write into `folder`, which must not exist or be empty; the task is called by its last part.
// They return the files they wrote. Throw Error if the name cannot be a task's, the folder is in
// use, or the kernel cannot be read.
std::vector<std::filesystem::path> write_new_task(const std::filesystem::path& folder);
std::vector<std::filesystem::path> write_new_task_from(const std::filesystem::path& folder,
                                                       const std::filesystem::path& kernel_file);

// The parts of it, for a task that is made of a function (adapters/function_task.h). The task's
// name, if that can be one and the folder is free; files by name, written into the folder; a
// kernel's source with a plan over the task's tensors,
// "?" where only a person can decide.
std::string name_for_new_task(const std::filesystem::path& folder);
std::vector<std::filesystem::path> write_task_files(
    const std::filesystem::path& folder,
    const std::vector<std::pair<std::string, std::string>>& files);
std::string seed_for(const std::filesystem::path& kernel_file, const core::Task& task);

}  // namespace hone::task
