#pragma once
// Candidates in Python as the judge sees them: hostile native code behind the same wire as any runner. What their
// worker is told: the source and how it is called (interface.json of the task), then, for each case, the numbers. Pure.
#include <string>
#include <string_view>

#include "core/candidate.h"
#include "core/task.h"

namespace hone::judge {

// Why the task takes no candidates in Python; "": it does.
std::string no_python_here(const core::Task& task);
// What the worker loads: source, name and interface, as JSON.
std::string python_image(const core::Task& task, const core::Candidate& candidate);
// What it is called with in a case beside tensors, as JSON. `lenient`: results of any kind are taken.
std::string python_call(const core::Task& task, const core::Case& which, bool lenient = false);

// Whether the call gets memory for its results: then it writes them where they belong, and nobody copies them.
bool hands_over_outputs(const core::Task& task);

// Whether a kernel of this name comes from torch, a vendor's library or torch's compiler, and not from the candidate.
// By what those are known to call theirs: a report, no evidence.
bool is_library_kernel(std::string_view name);

}  // namespace hone::judge
