#pragma once
// A kernel as a person has it, with no launch plan: it is judged with the plan of the task's own
// seed, where that launches kernels of the same names with as many arguments. The plan goes into
// the candidate's text, so that what is recorded, exported and compared is complete; the person's
// file stays as it is, and so do the numbers of its lines (core/source_lines.h).
#include <filesystem>
#include <string>

#include "base/result.h"
#include "core/candidate.h"
#include "core/task.h"
#include "task/complaints.h"
#include "task/kernel_scanner.h"

namespace hone::task {

struct LoadedCandidate {
  core::Candidate candidate;
  std::string plan_from;  // the seed whose plan it has; "": its own
};
// Like load_candidate(), for this task.
base::Result<LoadedCandidate, Diagnostics> load_candidate_for(const core::Task& task,
                                                              const std::filesystem::path& path);

// Hone looks a kernel up by its plain name, so CUDA kernels need extern "C", which this writes
// before them.
std::string with_plain_names(const std::string& source, const std::vector<Kernel>& kernels);

}  // namespace hone::task
