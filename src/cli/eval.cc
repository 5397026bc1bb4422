#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/evaluation_text.h"
#include "cli/failure.h"
#include "cli/inputs.h"
#include "cli/report.h"
#include "judge/ceilings.h"
#include "judge/judge.h"
#include "run/record.h"

namespace hone::cli {

int eval(const EvalOptions& options) {
  const core::Task task = task_from(options.task);
  require_device_task(task);
  const core::Candidate candidate = candidate_from(options.candidate);
  judge::EvaluateOptions evaluate;
  evaluate.depth = depth_from(options.depth);
  evaluate.case_name = options.case_name;
  evaluate.point = point_from(candidate, options.set);
  judge::JudgeOptions judging;
  for (const auto& guard : options.without) judging.guards.switch_off(guard);
  require_case(task, options.case_name);
  const core::DeviceInfo info = device_for(options, candidate);
  // Opened before anything is measured: an archive that cannot be written is said at once. A verdict without all guards
  // is not recorded.
  std::optional<store::Archive> archive;
  if (!options.no_record && options.without.empty()) archive = archive_for(options);
  Progress progress(options.json);
  judging.unsafe = options.unsafe;
  judging.call_seconds = options.time_limit;
  judging.progress = [&](const std::string& text) { progress.say(text); };
  judging.ceilings = judge::ceilings_of(info, true, {options.unsafe, judging.progress});
  judge::Judge judge(task, info, judging);
  const core::Evaluation evaluation = judge.evaluate(candidate, evaluate);
  std::string id;
  // A verdict that cannot be recorded is told all the same.
  std::optional<base::Error> not_recorded;
  try {
    if (archive) id = run::record(*archive, task, candidate, evaluation, info);
  } catch (const base::Error& error) {
    not_recorded = error;
  }
  progress.say("");
  if (options.json) {
    auto json = to_json(evaluation);
    json["device"] = to_json(info);
    if (!id.empty()) json["id"] = id;
    if (not_recorded) json["error"] = to_json(*not_recorded);
    std::fputs(json_text(json).c_str(), stdout);
  } else {
    std::fputs(report(evaluation, info, screen_of(stdout)).c_str(), stdout);
    if (!id.empty()) std::printf("recorded as %s\n", id.c_str());
  }
  if (not_recorded) return tell(*not_recorded);
  return static_cast<int>(evaluation.outcome == core::Outcome::accepted ? base::ExitCode::ok
                                                                        : base::ExitCode::not_accepted);
}

}  // namespace hone::cli
