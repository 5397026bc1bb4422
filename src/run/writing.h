#pragma once
// From a writer's answer to a candidate: a whole source, or edits of one. Whatever a model answered
// may be wrong, so a failure is a sentence that it can be asked again with. Pure functions of the
// answer.
#include "base/result.h"
#include "core/candidate.h"
#include "llm/client.h"
#include "run/context.h"

namespace hone::run {

struct WrittenCandidate {
  core::Candidate candidate;
  std::string report;  // what its writer says was really done
};

// `edited`: the source that edits in the answer are made of. The failure is a sentence for the
// model: the answer holds no candidate, or one that does not parse or does not fit the task.
base::Result<WrittenCandidate> candidate_from(const RunContext& context,
                                              const core::NodePosition& place,
                                              const llm::Reply& reply, const std::string& edited);

}  // namespace hone::run
