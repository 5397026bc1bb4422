#pragma once
// From what a user typed to what the commands work on. Whatever is wrong is said with its file and line, as one Error.
#include <string>
#include <vector>

#include "core/candidate.h"
#include "core/evaluation.h"
#include "core/task.h"

namespace hone::cli {

core::Task task_from(const std::string& path);
core::Candidate candidate_from(const std::string& path);
core::Depth depth_from(const std::string& name);
// The plan's defaults with NAME=VALUE settings applied.
core::Point point_from(const core::Candidate& candidate, const std::vector<std::string>& settings);

// Progress for people, on standard error: rewritten in place on a terminal, plain lines elsewhere.
class Progress {
 public:
  explicit Progress(bool quiet);
  ~Progress();
  void say(const std::string& text);

 private:
  bool quiet_, terminal_;
  std::string last_;
};

}  // namespace hone::cli
