#pragma once
// What `hone table` shows: for each problem and class of precision the fastest candidate of the
// archive that solved it there, beside torch's best, all of one kind of device. Made from the
// archive and files of baselines; one thread.
#include <set>
#include <string>
#include <vector>

#include "base/fields_fwd.h"
#include "store/archive.h"
#include "tables/baselines.h"
#include "tables/scores.h"

namespace hone::tables {

struct ScoreTable {
  std::vector<Score> scores;
  std::set<std::string>
      other_versions;  // problems of which something was left out: another reference.py
};

struct ScoreTableOptions {
  std::set<std::string> problems;       // names; none: all that was evaluated
  std::vector<BaselineLine> baselines;  // a later one replaces an earlier one
  std::string device;                   // its name or a part of it; "": the only one that there is
};

// Throws Error (usage) where evaluations of several kinds of devices fit.
ScoreTable score_table(store::Archive& archive, const ScoreTableOptions& options);

std::string to_markdown(const ScoreTable& table);              // with a summary of each class
void describe(base::Fields& fields, const ScoreTable& table);  // likewise, in JSON

}  // namespace hone::tables
