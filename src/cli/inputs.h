#pragma once
// From what a user typed to what the commands work on. Whatever is wrong is said with its file and line, as one Error.
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "core/candidate.h"
#include "core/device_info.h"
#include "core/evaluation.h"
#include "core/task.h"
#include "store/archive.h"

namespace hone::cli {

// The task's folder: the text itself, or what a problem of KernelBench ("kernelbench:level1/23") becomes.
std::string task_folder(const std::string& text);
core::Task task_from(const std::string& path);
// Throws where only somebody else's evaluator can judge the task.
void require_device_task(const core::Task& task);
// A candidate for the task. A kernel without a launch plan gets that of the task's seed, which standard error is told.
core::Candidate candidate_for(const core::Task& task, const std::string& path);
// The device that was named, or the best one here for the candidate's language.
core::DeviceInfo device_for(const Common& common, const core::Candidate& candidate);
// Throws where the device cannot run the candidate's language.
void require_language(const core::Candidate& candidate, const core::DeviceInfo& info);
store::Archive archive_for(const Common& common);
store::Archive archive_to_read(const Common& common);  // makes no file: one that was named must be there already
void require_case(const core::Task& task, const std::string& name);  // "" is all of them
// The programs that give advice: those of the configuration ($HONE_HOME/tools.toml), then those of --tool. Throws where
// one is no command.
std::vector<std::string> programs_from(const std::vector<std::string>& given);
void require_programs(const std::vector<std::string>& given);  // --tool alone
core::Depth depth_from(const std::string& name);
// The plan's defaults with NAME=VALUE settings applied.
core::Point point_from(const core::Candidate& candidate, const std::vector<std::string>& settings);

// Throws where one of the files is there already and holds another text: all of them at once, before anything is
// written. `option` gives the command another place for them.
struct Written {
  std::filesystem::path file;
  std::string_view text;
};
void refuse_to_overwrite(const std::vector<Written>& files, std::string_view option);

// What a command that writes files answers under --json: {"written": [...]}. Returns 0.
int print_written(const std::vector<std::filesystem::path>& files);

// Progress for people, on standard error: rewritten in place on a terminal, plain lines elsewhere.
class Progress {
 public:
  explicit Progress(bool quiet);
  ~Progress();
  void say(const std::string& text);
  void keep(const std::string& text);  // a line that is not rewritten
  bool terminal() const { return terminal_; }

 private:
  bool quiet_, terminal_;
  std::string last_;
};

}  // namespace hone::cli
