#include "store/tuning.h"

#include <array>

#include "base/error.h"
#include "store/candidates.h"

namespace hone::store {
namespace {

using base::ExitCode;
using base::fail;

constexpr std::array<std::string_view, 4> tuning_state_names{"running", "stopped", "finished",
                                                             "failed"};

TuningState known_tuning_state(const std::string& name) {
  for (std::size_t i = 0; i < tuning_state_names.size(); ++i)
    if (tuning_state_names[i] == name) return static_cast<TuningState>(i);
  fail(ExitCode::archive,
       "the archive holds a tuning run in the state '{}', which this hone does not know: use a "
       "newer one",
       name);
}

std::int64_t row_of_run(Archive& archive, const std::string& id) {
  std::int64_t row = 0;
  Query query = archive.database().query("tuning_run_row", id);
  if (!query.step()) fail(ExitCode::bad_input, "the archive has no tuning run with the id {}", id);
  query.read(row);
  return row;
}

std::string whole_tuning_id(Archive& archive, const std::string& id_or_prefix) {
  constexpr int listed = 8;
  const auto ids = read_ids(
      archive.database().query("tuning_runs_by_prefix", checked_prefix(id_or_prefix), listed));
  if (ids.empty())
    fail(ExitCode::bad_input, "no tuning run has an id that begins with {}", id_or_prefix);
  if (ids.size() > 1)
    fail(ExitCode::bad_input, "several tuning runs have an id that begins with {}: {}",
         id_or_prefix, fmt::join(ids, ", "));
  return ids.front();
}

}  // namespace

std::string_view name_of(TuningState state) {
  return tuning_state_names[static_cast<std::size_t>(state)];
}

std::string start_tuning_run(Archive& archive, const TuningRun& run) {
  const std::string id = new_id();
  Transaction transaction(archive.database());
  archive.database().run("insert_tuning_run", id, row_of_task(archive, run.task).id,
                         row_of_candidate(archive, run.candidate),
                         row_of_device(archive, run.device, run.device_name), run.driver,
                         run.compiler, run.protocol, run.settings,
                         run.created == Time{} ? now() : run.created);
  set_tuning_state(archive, id, TuningState::running);
  transaction.commit();
  return id;
}

void link_tuning_point(Archive& archive, const std::string& run, const std::string& evaluation) {
  archive.database().run("insert_tuning_point", row_of_run(archive, run),
                         row_of_evaluation(archive, evaluation));
}

void set_tuning_state(Archive& archive, const std::string& run, TuningState state,
                      const std::string& note, const std::optional<std::string>& winner_evaluation,
                      const std::optional<std::string>& winner_candidate) {
  std::optional<std::int64_t> evaluation, candidate;
  if (winner_evaluation) evaluation = row_of_evaluation(archive, *winner_evaluation);
  if (winner_candidate) candidate = row_of_candidate(archive, *winner_candidate);
  archive.database().run("insert_tuning_state", row_of_run(archive, run), name_of(state), note,
                         evaluation, candidate, now());
}

TuningRun get_tuning_run(Archive& archive, const std::string& id_or_prefix) {
  TuningRun run;
  std::int64_t row = 0;
  if (Query query =
          archive.database().query("get_tuning_run", whole_tuning_id(archive, id_or_prefix));
      query.step())
    query.read(row, run.id, run.created, run.task, run.task_name, run.candidate, run.candidate_name,
               run.device, run.device_name, run.driver, run.compiler, run.protocol, run.settings);
  std::string state;
  if (Query query = archive.database().query("tuning_state", row); query.step())
    query.read(state, run.note, run.winner_evaluation, run.winner_candidate, run.changed);
  run.state = known_tuning_state(state);
  return run;
}

std::vector<TuningRun> list_tuning_runs(Archive& archive, int limit) {
  std::vector<TuningRun> runs;
  for (const std::string& id : read_ids(archive.database().query("list_tuning_runs", limit)))
    runs.push_back(get_tuning_run(archive, id));
  return runs;
}

std::optional<TuningRun> find_unfinished_run(Archive& archive, const std::string& task,
                                             const std::string& candidate,
                                             const std::string& device) {
  for (const std::string& id :
       read_ids(archive.database().query("tuning_runs_of", candidate, task, device)))
    if (TuningRun run = get_tuning_run(archive, id); run.state != TuningState::finished) return run;
  return std::nullopt;
}

std::vector<EvaluationLine> tuning_points(Archive& archive, const std::string& run) {
  return read_evaluation_lines(archive.database().query("tuning_points", row_of_run(archive, run)));
}

}  // namespace hone::store
