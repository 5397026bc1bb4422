#pragma once
// Which folder holds the task that was made of a problem from elsewhere. The key changes with
// whatever can change the task's contents: the problem, how it is written down, and any of the
// scripts that are asked about it.
#include <string>
#include <string_view>
#include <vector>

namespace hone::adapters {

// `form` names the adapter and the version of what it writes; `parts` are the problem.
std::string task_key(std::string_view form, const std::vector<std::string_view>& parts);

}  // namespace hone::adapters
