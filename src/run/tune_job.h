#pragma once
// Tuning inside a job: once a candidate is accepted and near the incumbent, points of its [tune]
// table are measured by the judge of the job: few at first, more once its best point is ahead of
// the incumbent. The best point is compared with the defaults side by side, and where it wins, the
// rest of the job is done with a source that has it as its defaults. Nothing is kept between jobs.
#include "core/candidate.h"
#include "run/job.h"

namespace hone::run {

// Slower than the incumbent by more than this, a candidate is not tuned. Winners that were tuned by
// hand gained up to 4.5 %; 20 % is what a poor default of a good design may cost.
constexpr double worth_tuning = 1.2;
// Points of a candidate near the incumbent: the neighbours of the defaults in a table of three or
// four tunables, from which a local search begins.
constexpr int few_points = 8;
// Points where the best one is ahead of the incumbent: a table of two or three tunables whole.
constexpr int more_points = 32;

// Searches as the job says, and fills in what the result says of it. The job's candidate becomes
// the one with the new defaults, and the result's evaluation is of that one. `certified`: as for
// follow_up(). What fails here costs a sentence and never the verdict.
void tune(Job& job, double certified, judge::Judge& judge, const JobTools& tools,
          JobResult& result);

// The candidate with the point as its defaults. Throws Error where its plan has no such values.
core::Candidate with_defaults(const core::Candidate& candidate, const core::Point& point);

}  // namespace hone::run
