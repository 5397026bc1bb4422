#pragma once
// `hone task check` of several problems of KernelBench: what would pass KernelBench's own check on
// each of them without computing anything.
#include <string>
#include <vector>

#include "app/common_options.h"
#include "app/sink.h"
#include "base/fields_fwd.h"

namespace hone::app {

struct CheckedProblem {
  std::string problem;            // "kernelbench:level1/23"
  std::string task;               // the folder of its task
  std::vector<std::string> weak;  // a sentence for each thing that would pass
  std::string refused;            // why it cannot be judged at all; "": it can
};

struct WeakProblemsResult {
  std::vector<CheckedProblem> problems;  // fewer than were named where that was cancelled
  int weak = 0, refused = 0;             // problems
};

// `problems`: a level of KernelBench, or a range of one.
WeakProblemsResult weak_problems(const std::string& problems, Sink& sink);
void describe(base::Fields& fields, const WeakProblemsResult& result);

}  // namespace hone::app
