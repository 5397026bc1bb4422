#pragma once
// The exit code of a command, by what it found. Scripts and CI branch on these numbers, which
// docs/formats.md lists: a command that worked may still end with another one than 0. Pure.
#include "app/baseline.h"
#include "app/bundle.h"
#include "app/doctor.h"
#include "app/evaluate.h"
#include "app/learn.h"
#include "app/profile.h"
#include "app/recheck.h"
#include "app/run.h"
#include "app/selftest.h"
#include "app/task_check.h"
#include "app/weak_problems.h"
#include "base/error.h"
#include "core/evaluation.h"
#include "judge/compare.h"
#include "run/tune.h"

namespace hone::cli {

// Of a command that ends on this outcome; and of two such codes the one that says more against a
// candidate.
base::ExitCode exit_code(core::Outcome outcome);
base::ExitCode worse(base::ExitCode a, base::ExitCode b);

base::ExitCode exit_code(const app::EvaluateResult& result);  // the worst of its verdicts
base::ExitCode exit_code(const app::ProfileResult& result);
base::ExitCode exit_code(const judge::ComparisonResult& result);
base::ExitCode exit_code(const run::TuneResult& result);
// Throws Error (usage) where the cap on dollars allowed not even one question: what looks like a
// run without a result is a mistake in its options.
base::ExitCode exit_code(const app::RunDone& done, bool interrupted);
base::ExitCode exit_code(const app::LearnResult& result);
base::ExitCode exit_code(const app::Recheck& verdict);
base::ExitCode exit_code(const app::BaselineResult& result);
base::ExitCode exit_code(const app::BundleRunResult& result, bool interrupted);
base::ExitCode exit_code(const app::TaskCheckResult& result);
base::ExitCode exit_code(const app::WeakProblemsResult& result);
base::ExitCode exit_code(const app::SelftestResult& result);
base::ExitCode exit_code(const app::DoctorResult& result);

}  // namespace hone::cli
