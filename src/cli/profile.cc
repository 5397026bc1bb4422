// `hone profile`: why is a candidate slow, what to do, and how much should that gain?
#include "profile/profile.h"
#include "core/device_json.h"
#include "core/evaluation_json.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/accepted.h"
#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/inputs.h"
#include "cli/report.h"
#include "core/json.h"
#include "core/profile_json.h"
#include "judge/ceilings.h"
#include "profile/explain.h"
#include "run/record.h"
#include "store/candidates.h"
#include "store/profiles.h"
#include "task/candidate_loader.h"
#include "task/task_parser.h"
#include "text/evaluation_text.h"
#include "text/profile_text.h"

namespace hone::cli {
using namespace text;
namespace {

using base::ExitCode;

int refuse(const core::Evaluation& evaluation, const ProfileCommand& command, const core::DeviceInfo& info,
           const std::optional<base::Error>& not_recorded) {
  if (command.json) {
    auto json = to_json(evaluation);
    json["device"] = to_json(info);
    if (not_recorded) json["error"] = to_json(*not_recorded);
    std::fputs(core::json_text(json).c_str(), stdout);
  } else {
    std::fputs(evaluation_report(evaluation, info, screen_of(stdout)).c_str(), stdout);
    std::fputs("Only an accepted candidate is profiled.\n", stdout);
  }
  if (not_recorded) return tell(*not_recorded);
  return static_cast<int>(exit_code(evaluation.outcome));
}

void print(const core::Profile& profile, const std::string& id, const ProfileCommand& command,
           const core::DeviceInfo& info, const std::optional<base::Error>& not_recorded) {
  if (command.json) {
    auto json = core::to_json(profile);
    json["device"] = to_json(info);
    if (!id.empty()) json["id"] = id;
    if (not_recorded) json["error"] = to_json(*not_recorded);
    std::fputs(core::json_text(json).c_str(), stdout);
    return;
  }
  std::fputs(profile_text(profile, screen_of(stdout)).c_str(), stdout);
  if (!id.empty()) std::printf("recorded as %s (`hone show %s` has every metric)\n", id.c_str(), id.c_str());
}

// A recorded profile in the words of the present tools. Nothing is measured, and nothing recorded.
int profile_again(const ProfileCommand& command) {
  if (!command.task.empty() || command.energy || command.sanitize || !command.set.empty() || !command.case_name.empty())
    base::fail(ExitCode::usage,
               "--again explains what was recorded: leave out the task, --case, --set and what measures");
  const auto programs = programs_from(command.tools);
  auto archive = archive_to_read(command);
  const auto found = store::find_by_id(archive, command.again);
  if (found.kind != store::Found::Kind::profile)
    base::fail(ExitCode::bad_input, "{} is no profile: `hone show` lists those of a candidate", command.again);
  auto record = store::get_profile(archive, found.id);
  const auto task_record = store::get_task(archive, record.profile.key.task);
  core::Task task;
  task.reference_cu = task.reference_cl =
      "";  // not in the archive, and not needed; cases may ask whether they are there
  // Nor is what its reference names.
  if (task_record.toml.find("\n[reference]") != std::string::npos) task.reference_py = task.interface = "";
  if (const auto problems = task::parse_task(task_record.toml, "task.toml", task); !problems.empty())
    base::fail(ExitCode::bad_input, "the recorded task {} cannot be read: {}", task_record.name,
               base::render(problems, task_record.toml));
  const auto source = store::get_candidate(archive, record.profile.key.candidate);
  const auto candidate = task::candidate_from(source.source, source.line.language, source.line.name);
  if (!candidate)
    base::fail(ExitCode::bad_input, "the recorded candidate {} cannot be read: {}", source.line.name,
               base::render(candidate.error(), source.source));
  const auto explained =
      profile::explain_again(std::move(record.profile), task, *candidate, programs, run::records_of_tools(archive));
  if (command.json) {
    auto json = core::to_json(explained);
    json["id"] = record.id;
    std::fputs(core::json_text(json).c_str(), stdout);
  } else {
    std::fputs(profile_text(explained, screen_of(stdout)).c_str(), stdout);
    std::printf("explained again from the recording %s\n", record.id.c_str());
  }
  return static_cast<int>(ExitCode::ok);
}

}  // namespace

int profile(const ProfileCommand& command) {
  if (!command.again.empty()) return profile_again(command);
  if (command.task.empty() || command.candidate.empty())
    base::fail(ExitCode::usage, "a task's folder and a candidate are needed (or --again with a recorded profile)");
  const auto programs = programs_from(command.tools);
  const core::Task task = task_from(command.task);
  require_device_task(task);
  const core::Candidate candidate = candidate_for(task, command.candidate);
  judge::EvaluateOptions evaluate;
  evaluate.case_name = command.case_name;
  evaluate.point = point_from(candidate, command.set);
  require_case(task, command.case_name);
  const core::DeviceInfo info = device_for(command, candidate);
  std::optional<store::Archive> archive = archive_for(command);
  Progress progress(command.json);
  judge::JudgeOptions judging;
  judging.unsafe = command.unsafe;
  judging.call_seconds = command.time_limit;
  judging.limits_first_call = command.time_limit_given;
  judging.progress = [&](const std::string& text) { progress.step({text, {}, {}}); };
  judging.ceilings = judge::ceilings_of(info, true, {command.unsafe, judging.progress});
  judge::Judge judge(task, info, judging);
  app::Accepted accepted{judge, archive, evaluate, {}};
  profile::ProfileOptions options;
  options.evaluation = accepted(candidate);
  options.timed_just_now = accepted.made_now;
  options.case_name = command.case_name;
  options.point = evaluate.point;
  options.source = !command.no_source;
  options.energy = command.energy;
  options.sanitize = command.sanitize;
  options.programs = programs;
  options.records = run::records_of_tools(*archive);
  const auto explained = profile::profile(judge, candidate, options);
  std::string id;
  if (explained) accepted.record([&] { id = run::record(*archive, task, candidate, *explained, info); });
  progress.step({});
  if (!explained) return refuse(explained.error(), command, info, accepted.not_recorded);
  print(*explained, id, command, info, accepted.not_recorded);
  return accepted.not_recorded ? tell(*accepted.not_recorded) : static_cast<int>(ExitCode::ok);
}

}  // namespace hone::cli
