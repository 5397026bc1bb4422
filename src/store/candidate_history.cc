#include "store/candidate_history.h"

namespace hone::store {

CandidateHistory candidate_history(Archive& archive, const std::string& hash, int limit) {
  return {get_candidate(archive, hash),         parents_of(archive, hash),
          children_of(archive, hash, limit),    evaluations_of(archive, hash, limit),
          comparisons_of(archive, hash, limit), profiles_of(archive, hash, limit)};
}

}  // namespace hone::store
