#pragma once
// What a worker with the task's torch module is told. For truth*.cc and baselines.
#include <string>
#include <string_view>

#include "core/task.h"

namespace hone::judge {

// For a plan's `call`: the precision, and the task's numbers in this case.
std::string torch_call(const core::Task& task, const core::Case& which, std::string_view precision);

}  // namespace hone::judge
