#pragma once
// From a source's first comment to a launch plan. Parsing knows the language only; checking knows
// the task as well and decides what each bare name among the arguments is. Everything wrong is said
// at once, with line and column in the source.
#include <string>
#include <string_view>

#include "base/result.h"
#include "core/candidate.h"
#include "task/complaints.h"

namespace hone::task {

base::Result<core::Plan, Diagnostics> parse_plan(std::string_view source, const std::string& file,
                                                 core::Language language);

// Compares every name and symbol with the task's tensors, scalars and symbols. Until a plan was
// checked, bare names among its arguments that are neither scratch nor tensor maps stand as integer
// expressions; here they become buffers, scalars or stay. Empty: nothing wrong.
Diagnostics check_plan(core::Plan& plan, const core::Task& task, const std::string& file);

// The source with the numbers behind `default =` in [tune] replaced by the point's values; nothing
// else changes. Throws Error if the source's plan cannot be read or has no such tunable or value.
std::string set_defaults(const std::string& source, const core::Point& point);

}  // namespace hone::task
