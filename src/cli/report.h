#pragma once
// How a command ends, by what it found.
#include "base/error.h"
#include "core/evaluation.h"

namespace hone::cli {

// How a command ends that ends on this outcome; and of two such codes the one that says more
// against a candidate.
base::ExitCode exit_code(core::Outcome outcome);
base::ExitCode worse(base::ExitCode a, base::ExitCode b);

}  // namespace hone::cli
