#pragma once
// The text of a task.toml into a task. The references must already be in it: whether a case can use
// a device reference depends on them.
#include <string>

#include "core/task.h"
#include "task/complaints.h"

namespace hone::task {

// Fills the task; what is wrong comes back, everything at once. Empty: nothing.
Diagnostics parse_task(std::string_view toml, const std::string& file, core::Task& task);

}  // namespace hone::task
