#pragma once
// KernelBench's problems as tasks: `kernelbench:level1/23` in an unchanged checkout becomes a task
// folder under Hone's home, with the problem's file as its reference.py and a task.toml made of
// what the module says about itself. From then on it is a task like any other: judged, bundled,
// archived.
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "adapters/described.h"

namespace hone::adapters {

struct Problem {
  std::string level;  // "level1"
  int number = 0;
  std::string wanted_class;  // "": any
};
// "kernelbench:level1/23", or "kernelbench:level1/23@fp32" for the same where only one class of
// precision will do; nothing where the text does not begin with that word. Throws Error where it
// goes on wrongly.
std::optional<Problem> kernelbench_problem(const std::string& text);

// All problems of a level ("kernelbench:level1") or a range of them ("kernelbench:level1/1-20")
// that the checkout has, in order; nothing where the text names no such thing.
std::vector<Problem> kernelbench_problems(const std::string& text,
                                          const std::filesystem::path& checkout);

// The problem's file in a checkout; throws Error, naming what is there, where there is none.
std::filesystem::path problem_file(const std::filesystem::path& checkout, const Problem& problem);

// The task's folder, made now or before. Starts a Python in a sandbox to ask the module, which has
// so many seconds; `say` is told before that begins. May be called on several threads for different
// problems.
constexpr double asking_seconds = 600;
std::filesystem::path kernelbench_task(const std::filesystem::path& checkout,
                                       const Problem& problem, double seconds = asking_seconds,
                                       const std::function<void(const std::string&)>& say = {});

// task.toml of what resources/python/oracle.py said; pure.
std::string task_toml(const std::string& name, const std::string& summary,
                      const DescribedModule& described);

}  // namespace hone::adapters
