#include "app/profile.h"

#include "app/accepted.h"
#include "app/inputs.h"
#include "base/fields.h"
#include "profile/explain.h"
#include "profile/profile.h"
#include "run/record.h"
#include "store/candidates.h"
#include "store/profiles.h"
#include "task/candidate_loader.h"
#include "task/task_parser.h"

namespace hone::app {
namespace {

using base::ExitCode;

// The task as far as the archive has it. Files beside task.toml are not kept, and an explanation
// does not need them.
core::Task recorded_task(const store::TaskRecord& record) {
  core::Task task;
  task.reference_cu = task.reference_cl = "";  // cases may ask whether they are there
  if (record.toml.find("\n[reference]") != std::string::npos)
    task.reference_py = task.interface = "";
  if (const auto problems = task::parse_task(record.toml, "task.toml", task); !problems.empty())
    base::fail(ExitCode::bad_input, "the recorded task {} cannot be read: {}", record.name,
               base::render(problems, record.toml));
  return task;
}

core::Candidate recorded_candidate(const store::CandidateRecord& record) {
  auto candidate = task::candidate_from(record.source, record.line.language, record.line.name);
  if (!candidate)
    base::fail(ExitCode::bad_input, "the recorded candidate {} cannot be read: {}",
               record.line.name, base::render(candidate.error(), record.source));
  return *std::move(candidate);
}

}  // namespace

ProfileResult profile(const ProfileRequest& request, Sink& sink) {
  profile::ProfileOptions options;
  options.programs = programs_from(request.tools);
  const core::Task task = task_from(request.task, sink);
  require_device_task(task);
  const core::Candidate candidate = candidate_for(task, request.candidate, sink);
  judge::EvaluateOptions evaluate;
  evaluate.case_name = options.case_name = request.case_name;
  evaluate.point = options.point = point_from(candidate, request.set);
  require_case(task, request.case_name);
  ProfileResult result;
  const core::DeviceInfo& info = result.device = device_for(request, candidate);
  std::optional<store::Archive> archive = archive_for(request);
  judge::Judge judge(task, info, judging_for(request, request.limit, info, sink));
  Accepted accepted{judge, archive, evaluate, {}};
  options.evaluation = accepted(candidate);
  options.timed_just_now = accepted.made_now;
  options.source = request.source;
  options.energy = request.energy;
  options.sanitize = request.sanitize;
  options.records = run::records_of_tools(*archive);
  require_wanted(sink);
  auto explained = profile::profile(judge, candidate, options);
  if (explained) {
    accepted.record([&] { result.id = run::record(*archive, task, candidate, *explained, info); });
    result.profile = *std::move(explained);
  } else {
    result.refusal = explained.error();
  }
  result.not_recorded = accepted.not_recorded;
  sink.step({});
  return result;
}

void describe(base::Fields& f, const ProfileResult& result) {
  if (result.profile)
    f.value(*result.profile);
  else
    f.value(result.refusal);
  f("device", result.device);
  f.sparse("id", result.id).sparse("error", result.not_recorded);
}

ExplainAgainResult explain_again(const ExplainAgainRequest& request) {
  const auto programs = programs_from(request.tools);
  auto archive = archive_to_read(request);
  const auto found = store::find_by_id(archive, request.profile);
  if (found.kind != store::Found::Kind::profile)
    base::fail(ExitCode::bad_input, "{} is no profile: `hone show` lists those of a candidate",
               request.profile);
  auto record = store::get_profile(archive, found.id);
  const core::Task task = recorded_task(store::get_task(archive, record.profile.key.task));
  const core::Candidate candidate =
      recorded_candidate(store::get_candidate(archive, record.profile.key.candidate));
  return {profile::explain_again(std::move(record.profile), task, candidate, programs,
                                 run::records_of_tools(archive)),
          record.id};
}

void describe(base::Fields& f, const ExplainAgainResult& result) {
  f.value(result.profile);
  f("id", result.id);
}

}  // namespace hone::app
