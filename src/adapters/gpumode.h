#pragma once
// GPU MODE's problems as tasks: `gpumode:DIR` (task.yml, reference.py and the files they name,
// unchanged) becomes a task folder under Hone's home: task.toml, made of what the problem says
// about itself; problem.json, with all that its oracle needs; interface.json, by which its
// candidates in Python are called. From then on it is a task like any other.
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "adapters/described.h"
#include "adapters/task_yml.h"

namespace hone::adapters {

// The folder in "gpumode:DIR"; nothing where the text does not begin with that word.
std::optional<std::filesystem::path> gpumode_folder(const std::string& text);

// The task's folder, made now or before. Starts a Python with torch in a sandbox to ask the
// problem; `say` is told before that begins.
std::filesystem::path gpumode_task(const std::filesystem::path& folder,
                                   const std::function<void(const std::string&)>& say = {});

// The texts of the task's files, of what resources/python/gpumode_describe.py said; pure.
std::string gpumode_toml(const TaskYml& problem, const DescribedProblem& described);
std::string gpumode_problem(const TaskYml& problem,
                            const DescribedProblem* described);  // null: nothing is known yet
std::string gpumode_interface(const TaskYml& problem, const DescribedProblem& described);

}  // namespace hone::adapters
