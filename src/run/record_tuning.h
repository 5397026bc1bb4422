#pragma once
// What tuning came to, into the archive: the evaluation of the source as it was written, the
// comparison with the new defaults, and the source that has them. In the transaction of the node's
// verdict.
#include <string>

#include "core/tree.h"
#include "run/job.h"
#include "run/record.h"

namespace hone::run {

// `written`: the job's candidate. Gives what the journal keeps. Throws Error where the new defaults
// are not in the candidate's table: a result may come from elsewhere.
core::Tuning record_tuning(store::Archive& archive, const core::Node& node,
                           const core::Candidate& written, const JobResult& result,
                           const std::string& run);

}  // namespace hone::run
