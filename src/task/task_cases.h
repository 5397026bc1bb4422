#pragma once
// What can be wrong with a task once its cases are known: symbols that nothing binds, shapes
// without a value, sizes beyond reason, cases that repeat each other, a device reference that is
// not there. Used by the task parser only.
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/plan.h"
#include "core/task.h"
#include "task/complaints.h"

namespace hone::task {

struct CasePlace {
  base::Position at;         // of the bindings
  base::Position name;       // of a given name; line 0 without one
  base::Position reference;  // of `reference`
  bool bound = true;  // false: the bindings could not be read, so nothing is worked out for it
  std::vector<std::string> symbols;  // as written
};

// An integer with bounds of its own: what an input is drawn from, or a scalar (low and high are
// then the same).
struct RangePlace {
  std::string name;
  core::DType dtype;
  core::PlanExpr low, high;
  const char* what = "low";  // the key, where it is not a pair of low and high
  std::int64_t least = INT64_MIN;
};

// Where things stood in task.toml.
struct TaskPlaces {
  std::map<std::string, std::vector<core::PlanExpr>>
      shapes;             // by tensor, only those that could be read
  bool all_sizes = true;  // false: a tensor's size is not known, so neither is the sum
  std::vector<CasePlace> cases;
  std::vector<RangePlace> ranges, scalars;
  std::optional<core::PlanExpr> bytes;
  std::vector<std::pair<std::string, core::PlanExpr>> flops;
};

void check_cases(const core::Task& task, const TaskPlaces& places, Complaints& complaints);

}  // namespace hone::task
