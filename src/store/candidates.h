#pragma once
// Tasks and candidates in the archive. Both are known by the hash of their content: recording one
// again changes nothing.
#include <string>
#include <vector>

#include "base/fields_fwd.h"
#include "core/candidate.h"
#include "core/task.h"
#include "store/archive.h"

namespace hone::store {

struct TaskRecord {
  std::string hash, name, folder, toml;
  Time created{};  // 0: now
};
bool record_task(Archive& archive, const TaskRecord& task);  // false: it was there
TaskRecord get_task(Archive& archive, const std::string& hash);
std::optional<std::string> newest_task_named(Archive& archive,
                                             const std::string& name);  // its hash

// A candidate without its source: a line of a list.
struct CandidateLine {
  std::string hash;
  core::Language language = core::Language::opencl;
  std::string name, author, note;
  Time created{};  // 0: now
};
void describe(base::Fields& fields, const CandidateLine& line);  // in JSON: see base/fields.h
struct CandidateRecord {
  CandidateLine line;
  std::string source;                // the plan is the comment at its top
  std::vector<std::string> parents;  // hashes, recorded before
};
// The first record of a candidate stands: its name, author and parents are those it was first seen
// with.
bool record_candidate(Archive& archive, const CandidateRecord& candidate);  // false: it was there
CandidateRecord get_candidate(Archive& archive, const std::string& hash);
std::string author_of(Archive& archive,
                      const std::string& hash);  // "" too where there is no such candidate

std::vector<CandidateLine> list_candidates(Archive& archive, int limit);  // newest first
std::vector<CandidateLine> parents_of(Archive& archive, const std::string& hash);
std::vector<CandidateLine> children_of(Archive& archive, const std::string& hash, int limit);
std::vector<CandidateLine> lineage_of(
    Archive& archive, const std::string& hash);  // every ancestor once, newest first

// ---- for the other subjects: row numbers. Throw Error if the thing has not been recorded.
struct TaskRow {
  std::int64_t id = 0;
  std::string name;
};
TaskRow row_of_task(Archive& archive, const std::string& hash);
std::int64_t row_of_candidate(Archive& archive, const std::string& hash);

}  // namespace hone::store
