#pragma once
// A candidate on its way out: what every format is made from, and what its plan names. Plain values
// that live as long as one export; any thread.
#include <set>
#include <string>
#include <vector>

#include "core/candidate.h"

namespace hone::exports {

struct Exporting {
  const core::Task& task;
  const core::Candidate& candidate;  // its plan is checked against the task
  const core::Point& point;
  std::string function;  // the launcher's name, which the files have too
  std::vector<std::string>
      symbols;  // of the cases, in the order they appear in the tensors' shapes
};

std::vector<std::string> symbols_in_order(const core::Task& task);
std::set<std::string> symbols_used(const core::Plan& plan);  // by its expressions
std::vector<std::string> device_facts_used(const Exporting& exporting);
std::vector<std::string> kernels_of(
    const core::Plan& plan);  // each once, in the order of the launches
std::vector<base::Expr> expressions(const std::vector<core::PlanExpr>& list);

// The comment at the top of a file: what it is, of which candidate, at which point. `mark` begins a
// comment.
std::string about(const Exporting& exporting, const char* mark = "//");

}  // namespace hone::exports
