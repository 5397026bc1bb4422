#pragma once
// problem.json of a task that was made of a problem of GPU MODE. A machine wrote it, and a bundle may have brought it:
// what the judge needs of it is read strictly, the rest is for the oracle.
#include "core/task.h"
#include "task/complaints.h"

namespace hone::task {

Diagnostics read_gpumode(const std::string& text, const std::string& file, core::Task& task);

}  // namespace hone::task
