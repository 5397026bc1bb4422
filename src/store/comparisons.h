#pragma once
// Comparisons in the archive: two candidates, an interval on time(b) / time(a), and the word it
// earned.
#include <string>
#include <vector>

#include "base/fields_fwd.h"
#include "core/stats.h"
#include "store/archive.h"

namespace hone::store {

struct Compared {
  std::string candidate;  // hash
  core::Point point;
};

struct ComparedCase {
  std::string name;
  double ratio = 1;
  core::Interval interval;
  std::vector<double> block_ratios;  // one for each round, in order
};

struct ComparisonRecord {
  std::string id;                   // given by the archive
  Time created{};                   // 0: now
  std::string task, task_name;      // task: hash; the name is filled in by the archive
  std::string device, device_name;  // device: UUID
  std::string driver, compiler;
  int protocol = 1;
  Compared a, b;
  double ratio = 1;
  core::Interval interval;  // 99 % on the ratio over all cases
  double margin = 0;
  core::Comparison word = core::Comparison::cannot_tell;
  std::string stopped_by;  // which clause of the stopping rule ended it
  double seconds = 0;
  std::vector<ComparedCase> cases;
};
void describe(base::Fields& fields, ComparisonRecord& comparison);  // in JSON: see base/fields.h
// The same with what the archive gave it: id, time, the task's name.
void describe_recorded(base::Fields& fields, const ComparisonRecord& comparison);

std::string record_comparison(Archive& archive,
                              const ComparisonRecord& comparison);  // gives its id
std::vector<ComparisonRecord> comparisons_of(Archive& archive, const std::string& candidate,
                                             int limit);  // as a or as b, newest first

// ---- for the other subjects
std::int64_t row_of_comparison(Archive& archive, const std::string& id);
std::vector<ComparisonRecord> read_comparisons(Archive& archive, Query query);

}  // namespace hone::store
