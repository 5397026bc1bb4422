#pragma once
// What `hone task check` takes of the tables' module, as long as it is no function of app/.
#include <string>

#include "cli/commands.h"
#include "tables/baselines.h"
#include "tables/problems.h"

namespace hone::cli {

using tables::kernelbench_checkout;
using tables::names_several;
using tables::problem_name;
using tables::short_reason;
using tables::single_tasks;

// What would pass KernelBench's own check without computing, for each of several problems. Exit code as task_check.
int weak_problems(const TaskCheckOptions& options);

}  // namespace hone::cli
