#pragma once
// Candidates in Python as the judge sees them: hostile native code behind the same wire as any
// runner. Their worker is told the source and how it is called (interface.json of the task), then,
// for each case, the numbers.
#include <string>
#include <string_view>
#include <vector>

#include "core/candidate.h"
#include "core/task.h"
#include "judge/load.h"

namespace hone::judge {

// Why the task takes no candidates in Python; "": it does.
std::string no_python_here(const core::Task& task);
// What the worker loads: source, name and interface, as JSON.
std::string python_image(const core::Task& task, const core::Candidate& candidate);
// What it is called with in a case beside tensors, as JSON. `lenient`: results of any kind are
// taken.
std::string python_call(const core::Task& task, const core::Case& which, bool lenient = false);

// The inputs that are arguments of the problem's call, and not weights of its model.
std::vector<std::size_t> arguments_of(const core::Task& task);
// Whether the call gets memory for its results: then it writes them where they belong, and they are
// not copied.
bool hands_over_outputs(const core::Task& task);

base::Result<Ready, Finding> load_python(Judge& judge, Ready ready, const base::Fd* ahead,
                                         core::Evaluation& evaluation, const RunnerSource& source);

}  // namespace hone::judge
