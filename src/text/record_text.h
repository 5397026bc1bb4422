#pragma once
// Records of the archive in full, for people: what `hone show` prints of an evaluation, a profile
// or a candidate.
#include <string>

#include "store/candidate_history.h"
#include "store/evaluations.h"
#include "store/profiles.h"
#include "text/format.h"

namespace hone::text {

std::string record_text(const store::EvaluationRecord& record, const Screen& screen);
std::string record_text(const store::ProfileRecord& record, const Screen& screen);
// With its relatives, what was measured of it, its plan and its source.
std::string record_text(const store::CandidateHistory& history, const Screen& screen);

}  // namespace hone::text
