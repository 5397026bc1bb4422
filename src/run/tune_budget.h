#pragma once
// The budget of tuning inside a run (--tune-evals), counted from the journal alone: what judged
// nodes measured, and what is reserved for those that are written and not judged yet. A node's
// share is recorded with its source, so that its job is the same whenever it is submitted.
#include "core/candidate.h"
#include "core/tree.h"
#include "run/context.h"
#include "run/job.h"

namespace hone::run {

// Whether candidates of the run are tuned at all: not Python's and not an external evaluator's,
// and not while answers are replayed, because recorded edits are of the sources as their writers
// saw them.
bool tunes(const RunContext& context);
int points_taken(const core::Tree& tree);
// For a candidate that was written just now. 0: it is not tuned.
int points_for(const RunContext& context, const core::Tree& tree, const core::Candidate& candidate);
// For the node's job. Nothing: it is not tuned.
std::optional<TuneJob> tune_job_for(const core::Node& node, const core::Node* rival);

}  // namespace hone::run
