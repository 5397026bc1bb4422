#pragma once
// From what a request names to what the commands work on. Whatever is wrong is said with its file
// and line, as one Error.
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/common_options.h"
#include "app/sink.h"
#include "core/candidate.h"
#include "core/device_info.h"
#include "core/evaluation.h"
#include "core/task.h"
#include "judge/judge.h"
#include "store/archive.h"

namespace hone::app {

// The task's folder: the text itself, or what a problem of KernelBench ("kernelbench:level1/23") or
// GPU MODE becomes.
std::string task_folder(const std::string& text, Sink& sink);
core::Task task_from(const std::string& path, Sink& sink);
// What tables call the problem: KernelBench's without asking Python anything, others by their
// task's name.
std::string problem_named(const std::string& text, Sink& sink);
// Throws where only an external evaluator can judge the task.
void require_device_task(const core::Task& task);
void require_case(const core::Task& task, const std::string& name);  // "" is all of them

// A candidate for the task. A kernel without a launch plan gets that of the task's seed, which the
// sink is told.
core::Candidate candidate_for(const core::Task& task, const std::string& path, Sink& sink);
// The plan's defaults with NAME=VALUE settings applied.
core::Point point_from(const core::Candidate& candidate, const std::vector<std::string>& settings);
core::Depth depth_from(const std::string& name);
core::Outcome outcome_from(const std::string& name);

// The device that was named, or the best one here for the candidate's language.
core::DeviceInfo device_for(const CommonOptions& place, const core::Candidate& candidate);
// Throws where the device cannot run the candidate's language.
void require_language(const core::Candidate& candidate, const core::DeviceInfo& info);

store::Archive archive_for(const CommonOptions& place);
store::Archive archive_to_read(
    const CommonOptions& place);  // makes no file: one that was named must be there already

// Between two parts of a command of which half a result is none. Throws Error (interrupted) where
// the result is not wanted any more.
void require_wanted(const Sink& sink);

// For what a module below tells of its progress: a step each.
std::function<void(const std::string&)> steps_to(Sink& sink);

// What every judge of a command has: the device's ceilings (measured now where they are not known),
// its limits, and where it tells its progress.
judge::JudgeOptions judging_for(const CommonOptions& place, const CallLimit& limit,
                                const core::DeviceInfo& info, Sink& sink);

// The programs that give advice: those of the configuration ($HONE_HOME/tools.toml), then those
// given. Throws where one is no command.
std::vector<std::string> programs_from(const std::vector<std::string>& given);
void require_programs(const std::vector<std::string>& given);  // those given alone

// Throws where one of the files is there already and holds another text: all of them at once,
// before anything is written. `option` gives the command another place for them.
struct Written {
  std::filesystem::path file;
  std::string_view text;
};
void refuse_to_overwrite(const std::vector<Written>& files, std::string_view option);

}  // namespace hone::app
