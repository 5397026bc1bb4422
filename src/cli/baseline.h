#pragma once
// Baselines of torch for KernelBench problems, the classes of an evaluation beside them, and tables of both.
#include <filesystem>
#include <string>
#include <vector>

#include "app/problems.h"
#include "cli/commands.h"
#include "core/device_info.h"
#include "core/evaluation.h"
#include "core/task.h"
#include "tables/baselines.h"
#include "text/format.h"

namespace hone::cli {

struct BaselineOptions : Common {
  std::vector<std::string> tasks;  // folders, kernelbench:level1/23, kernelbench:level1/1-20, kernelbench:level1
  std::string out;                 // a file beside the one in the home folder
  std::string markdown;            // write a table of all of it there
  bool again = false;              // also what is recorded already
  bool retry = false;              // also what has failed
  bool by_model = false;           // what another device of the same name did is done
  bool show = false;               // measure nothing
  int jobs = 0;                    // problems that are prepared side by side; 0: by the machine
  double limit_s = 600;            // for preparing one of them
  double budget_s = 0;             // for all; 0: none
};
int baseline(const BaselineOptions& options);

// The tables of lines: for people, and in Markdown, device by device. `command` is what made them.
std::string baselines_text(const std::vector<tables::BaselineLine>& lines, const text::Screen& screen);
std::string baselines_markdown(const std::vector<tables::BaselineLine>& lines, const std::string& command);

struct TableOptions : Common {
  std::vector<std::string> tasks;      // as above; none: all that was evaluated
  std::vector<std::string> baselines;  // files; none: the home folder's
  std::string markdown;                // write it there too
};
int table(const TableOptions& options);

using app::kernelbench_checkout;
using app::single_tasks;

// As its task is called, also where none could be made of it.
std::string problem_name(const std::string& text);
// Why a problem failed, in a line: what was raised, without the way there and without folders of this machine.
std::string short_reason(const std::string& text);
bool problem_before(const std::string& a, const std::string& b);  // level1_9 comes before level1_10

}  // namespace hone::cli
