#pragma once
// The exit code of a command, by what it found. Scripts and CI branch on these numbers, which
// docs/formats.md lists: a command that worked can still end with one that is not 0. Pure.
#include "app/doctor.h"
#include "app/recheck.h"
#include "app/selftest.h"
#include "app/task_check.h"
#include "base/error.h"
#include "core/evaluation.h"
#include "judge/compare.h"
#include "run/run.h"
#include "run/tune.h"

namespace hone::cli {

// Of a command that ends on this outcome; and of two such codes the one that says more against a
// candidate.
base::ExitCode exit_code(core::Outcome outcome);
base::ExitCode worse(base::ExitCode a, base::ExitCode b);

}  // namespace hone::cli
