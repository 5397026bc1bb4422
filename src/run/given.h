#pragma once
// The kernels that a run begins with: those of the task and of the user. They are its first nodes,
// before any model is asked.
#include <string>
#include <vector>

#include "run/context.h"

namespace hone::run {

struct GivenKernel {
  core::NodePosition place;
  core::Candidate candidate;
  std::string author;
};

// Throws Error for a file of the user's that cannot be read; a kernel of the task's that cannot be
// used is said and left out.
std::vector<GivenKernel> given_kernels(const RunContext& context,
                                       const std::function<void(const std::string&)>& say);

}  // namespace hone::run
