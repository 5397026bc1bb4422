#pragma once
// How a worker failed, as a value: a candidate's failure is an outcome, never an Error. What the
// worker itself said of it is marked in the text (runner/said.h). Plain data.
#include <string>

#include "core/evaluation.h"

namespace hone::runner {

struct Fault {
  core::Outcome outcome = core::Outcome::crashed;
  std::string text;
};

}  // namespace hone::runner
