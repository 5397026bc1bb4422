#pragma once
// What `hone table` is made of: for each problem and class of precision the fastest candidate of the archive that is in
// it, beside torch's best, all of one kind of device.
#include <set>
#include <string>
#include <vector>

#include "cli/baseline.h"
#include "tables/scores.h"

namespace hone::cli {

struct Gathered {
  std::vector<tables::Score> scores;
  std::set<std::string> other_versions;  // problems of which something was left out: another reference.py
};

Gathered gather_scores(const TableOptions& options);

}  // namespace hone::cli
