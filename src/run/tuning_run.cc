#include "run/tuning_run.h"

#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "run/record.h"
#include "run/run_lock.h"

namespace hone::run {
namespace {

using base::ExitCode;

// A run that was judged by other rules, or by another compiler, cannot be resumed: its times mean
// something else.
bool fits(const store::TuningRun& run, const core::DeviceInfo& info, const TuneOptions& options) {
  const auto settings = settings_from(run.settings);
  return settings && settings->seed == options.seed && settings->case_name == options.case_name &&
         run.driver == info.driver && run.compiler == info.compiler &&
         run.protocol == judge::protocol_version;
}

}  // namespace

std::string to_text(const TuningSettings& settings) {
  return base::json_line([&](base::Fields& f) {
    f("seed", settings.seed)("case", settings.case_name);
    f("strategy", search::name_of(settings.strategy));
  });
}

std::optional<TuningSettings> settings_from(const std::string& text) {
  TuningSettings settings;
  std::string strategy;
  try {
    base::read_json(text, [&](base::Fields& f) {
      f("seed", settings.seed);
      f.optional("case", settings.case_name).optional("strategy", strategy);
    });
  } catch (const base::Error&) {
    return std::nullopt;
  }
  if (strategy == search::name_of(search::PointSearchKind::local))
    settings.strategy = search::PointSearchKind::local;
  return settings;
}

TuningRun open_tuning_run(store::Archive& archive, const core::Task& task,
                          const core::Candidate& candidate, const core::DeviceInfo& info,
                          const TuneOptions& options) {
  record_task(archive, task);
  record_candidate(archive, candidate);
  std::optional<store::TuningRun> found;
  if (options.start != TuneOptions::Start::fresh)
    found = store::find_unfinished_run(archive, task.hash, candidate.hash, info.uuid);
  if (found && !fits(*found, info, options)) found.reset();
  if (!found && options.start == TuneOptions::Start::resume)
    base::fail(ExitCode::bad_input,
               "there is no unfinished tuning run of {} on {} with this seed and case to resume",
               candidate.name, info.id);
  TuningRun run;
  if (found) {
    run.id = found->id;
    run.created = found->created;
    run.settings = *settings_from(found->settings);
    run.lock = lock_run("tuning", run.id);
    for (const auto& line : store::tuning_points(archive, run.id))
      if (line.outcome != core::Outcome::undecided)
        run.known[line.point] = store::get_evaluation(archive, line.id).evaluation;
    store::set_tuning_state(archive, run.id, store::TuningState::running);
    return run;
  }
  const search::Space space(candidate.plan, core::device_symbols(info));
  run.settings = {options.seed, options.case_name,
                  search::choose_point_search(space, options.max_evals, options.max_minutes > 0)};
  run.created = store::now();
  run.id = store::start_tuning_run(archive, {.created = run.created,
                                             .task = task.hash,
                                             .candidate = candidate.hash,
                                             .device = info.uuid,
                                             .device_name = info.name,
                                             .driver = info.driver,
                                             .compiler = info.compiler,
                                             .protocol = judge::protocol_version,
                                             .settings = to_text(run.settings)});
  run.lock = lock_run("tuning", run.id);
  return run;
}

}  // namespace hone::run
