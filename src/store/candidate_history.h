#pragma once
// Everything the archive has of one candidate: its source, its relatives, and what was measured of
// it. Read at once, so that what is shown of it is of one moment; plain values.
#include <string>
#include <vector>

#include "store/candidates.h"
#include "store/comparisons.h"
#include "store/evaluations.h"
#include "store/profiles.h"

namespace hone::store {

struct CandidateHistory {
  CandidateRecord candidate;
  std::vector<CandidateLine> parents, children;
  std::vector<EvaluationLine> evaluations;  // newest first, like those below
  std::vector<ComparisonRecord> comparisons;
  std::vector<ProfileLine> profiles;
};

// `limit`: of children, evaluations, comparisons and profiles each.
CandidateHistory candidate_history(Archive& archive, const std::string& hash, int limit);

}  // namespace hone::store
