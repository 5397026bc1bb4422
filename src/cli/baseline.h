#pragma once
// Baselines of torch for KernelBench problems, the classes of an evaluation beside them, and tables of both.
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/format.h"
#include "core/device_info.h"
#include "core/evaluation.h"
#include "core/task.h"

namespace hone::cli {

struct BaselineOptions : Common {
  std::vector<std::string> tasks;  // folders, kernelbench:level1/23, kernelbench:level1/1-20, kernelbench:level1
  std::string out;                 // a file beside the one in the home folder
  bool again = false;              // also what is recorded already
};
int baseline(const BaselineOptions& options);

struct TableOptions : Common {
  std::vector<std::string> tasks;      // as above; none: all that was evaluated
  std::vector<std::string> baselines;  // files; none: the home folder's
  std::string markdown;                // write it there too
};
int table(const TableOptions& options);

// Every problem that the texts name, as texts that name one each.
std::vector<std::string> single_tasks(const std::vector<std::string>& texts);
// Whether the text names several: a level, or a range of one.
bool names_several(const std::string& text);

// What would pass KernelBench's own check without computing, for each of several problems. Exit code as task_check.
int weak_problems(const TaskCheckOptions& options);

// Adds, for each class, the best baseline that is recorded for this device and how many times faster this is; or that
// there is none, and what makes one.
void add_speedups(const core::Task& task, const std::string& task_text, const core::DeviceInfo& info,
                  core::Evaluation& evaluation);
// The classes as lines for people; "" where there are none.
std::string classes_text(const core::Evaluation& evaluation, const Screen& screen);

}  // namespace hone::cli
