#pragma once
// A candidate as files that a C++ project compiles and calls without Hone: a header, a source with the kernels and a
// plain host launcher, an example and a Makefile. The plan's expressions become C++ over the case's symbols, which are
// the function's arguments; `when` decides at run time.
#include <string>
#include <vector>

#include "core/candidate.h"

namespace hone::run {

struct ExportedFile {
  std::string name, text;
};

// For the candidate's own language, CUDA or OpenCL. Throws Error where the plan does not fit the task, or the language
// has no export.
std::vector<ExportedFile> export_candidate(const core::Task& task, const core::Candidate& candidate,
                                           const core::Point& point);

}  // namespace hone::run
