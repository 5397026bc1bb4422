#pragma once
// For problems that bring a check of their own: how their own evaluator would rank a candidate, and
// what its answers were compared with.
#include "core/evaluation.h"
#include "core/task.h"

namespace hone::judge {

void note_own_check(const core::Task& task, core::Evaluation& evaluation);

}  // namespace hone::judge
