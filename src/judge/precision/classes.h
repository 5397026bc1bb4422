#pragma once
// The classes of precision that a candidate for a torch problem is in, by the errors of its calls
// so far (placing.h). A candidate that is in none of them has not solved the problem.
#include "judge/candidate_trial.h"

namespace hone::judge {

MaybeFinding place_in_classes(CandidateTrial& trial, core::CaseResult& result,
                              core::Evaluation& evaluation);

}  // namespace hone::judge
