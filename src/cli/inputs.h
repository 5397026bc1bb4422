#pragma once
// From what a user typed to what the commands work on. Whatever is wrong is said with its file and line, as one Error.
#include <string>
#include <vector>

#include "core/candidate.h"
#include "core/evaluation.h"
#include "core/task.h"
#include "cli/commands.h"
#include "core/device_info.h"
#include "store/archive.h"

namespace hone::cli {

core::Task task_from(const std::string& path);
core::Candidate candidate_from(const std::string& path);
// The device that was named, or the best one here for the candidate's language.
core::DeviceInfo device_for(const Common& common, const core::Candidate& candidate);
store::Archive archive_for(const Common& common);
core::Depth depth_from(const std::string& name);
// The plan's defaults with NAME=VALUE settings applied.
core::Point point_from(const core::Candidate& candidate, const std::vector<std::string>& settings);

// Progress for people, on standard error: rewritten in place on a terminal, plain lines elsewhere.
class Progress {
 public:
  explicit Progress(bool quiet);
  ~Progress();
  void say(const std::string& text);
  bool terminal() const { return terminal_; }

 private:
  bool quiet_, terminal_;
  std::string last_;
};

}  // namespace hone::cli
