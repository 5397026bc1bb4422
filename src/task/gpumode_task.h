#pragma once
// problem.json of a task that was made of a problem of GPU MODE. A machine wrote it, and a bundle
// may have brought it: what the judge needs of it is read strictly, the rest is for the oracle.
#include "core/task.h"
#include "task/complaints.h"

namespace hone::task {

// The names that such a task has for the oracle, for metrics and for users, and its check.
void set_gpumode(core::Task& task, core::OwnCheck check);

Diagnostics read_gpumode(const std::string& text, const std::string& file, core::Task& task);

}  // namespace hone::task
