#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/evaluation_text.h"
#include "cli/inputs.h"
#include "cli/report.h"
#include "judge/ceilings.h"
#include "judge/judge.h"
#include "run/record.h"

namespace hone::cli {

int eval(const EvalOptions& options) {
  const core::Task task = task_from(options.task);
  const core::Candidate candidate = candidate_from(options.candidate);
  const core::DeviceInfo info = device_for(options, candidate);
  // Opened before anything is measured: an archive that cannot be written is said at once. A verdict without all guards is not recorded.
  std::optional<store::Archive> archive;
  if (!options.no_record && options.without.empty()) archive = archive_for(options);
  Progress progress(options.json);
  judge::JudgeOptions judging;
  judging.unsafe = options.unsafe;
  judging.call_seconds = options.time_limit;
  judging.progress = [&](const std::string& text) { progress.say(text); };
  for (const auto& guard : options.without) judging.guards.switch_off(guard);
  judging.ceilings = judge::ceilings_of(info, true, {options.unsafe, judging.progress});
  judge::Judge judge(task, info, judging);
  judge::EvaluateOptions evaluate;
  evaluate.depth = depth_from(options.depth);
  evaluate.case_name = options.case_name;
  evaluate.point = point_from(candidate, options.set);
  const core::Evaluation evaluation = judge.evaluate(candidate, evaluate);
  std::string id;
  if (archive) id = run::record(*archive, task, candidate, evaluation, info);
  progress.say("");
  if (options.json) {
    auto json = to_json(evaluation);
    json["device"] = to_json(info);
    if (archive) json["id"] = id;
    std::fputs(json_text(json).c_str(), stdout);
  } else {
    std::fputs(report(evaluation, info, screen_of(stdout)).c_str(), stdout);
    if (archive) std::printf("recorded as %s\n", id.c_str());
  }
  return static_cast<int>(evaluation.outcome == core::Outcome::accepted ? base::ExitCode::ok : base::ExitCode::not_accepted);
}

}  // namespace hone::cli
