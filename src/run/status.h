#pragma once
// What a run has come to and does at this moment: of a run at work in this process, or of one in
// another, through the archive alone. Figures are those of the run's tree; what each role does is
// published beside it.
#include "run/context.h"
#include "run/ledger.h"

namespace hone::run {

// The figures of a tree: candidates, the best, the seed.
RunStatus status_of(const core::Tree& tree, const std::string& run);

// What a run publishes for other processes.
std::string activity_text(const RunStatus& status);  // JSON

// The status of a run that may be at work in another process. Its activity is what that one
// published last.
RunStatus read_status(store::Archive& archive, const std::string& run);

}  // namespace hone::run
