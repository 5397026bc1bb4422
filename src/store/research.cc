#include "store/research.h"

#include <array>

#include "base/error.h"
#include "store/candidates.h"

namespace hone::store {
namespace {

using base::ExitCode;
using base::fail;

constexpr std::array<std::string_view, 5> state_names{"running", "stopped", "away", "finished",
                                                      "failed"};
constexpr char run_mark = 'r';  // what a research run's id begins with, and no other

RunState known_state(const std::string& name) {
  for (std::size_t i = 0; i < state_names.size(); ++i)
    if (state_names[i] == name) return static_cast<RunState>(i);
  fail(ExitCode::archive,
       "the archive holds a run in the state '{}', which this hone does not know: use a newer one",
       name);
}

std::string whole_run_id(Archive& archive, const std::string& id_or_prefix) {
  constexpr int listed = 8;
  if (id_or_prefix.empty() || (id_or_prefix[0] != run_mark && id_or_prefix[0] != 'R'))
    fail(ExitCode::bad_input,
         "'{}' is no research run: its id is an r and hexadecimal digits, as `hone runs` prints "
         "them",
         id_or_prefix);
  const std::string prefix = run_mark + checked_prefix(id_or_prefix.substr(1));
  const auto ids = read_ids(archive.database().query("research_runs_by_prefix", prefix, listed));
  if (ids.empty())
    fail(ExitCode::bad_input, "no run has an id that begins with {}: `hone runs` lists them",
         id_or_prefix);
  if (ids.size() > 1)
    fail(ExitCode::bad_input, "several runs have an id that begins with {}: {}", id_or_prefix,
         fmt::join(ids, ", "));
  return ids.front();
}

std::optional<std::string> decision_of_row(Archive& archive, std::int64_t run,
                                           const std::string& name) {
  StoredText body;
  Query query = archive.database().query("decision", run, name);
  if (!query.step()) return std::nullopt;
  query.read(body.text, body.object);
  return archive.objects().fetch(body);
}

}  // namespace

std::string_view name_of(RunState state) { return state_names[static_cast<std::size_t>(state)]; }

std::int64_t row_of_research_run(Archive& archive, const std::string& id) {
  std::int64_t row = 0;
  Query query = archive.database().query("research_run_row", id);
  if (!query.step())
    fail(ExitCode::bad_input, "the archive has no research run with the id {}", id);
  query.read(row);
  return row;
}

std::string begin_run(Archive& archive, const ResearchRun& run) {
  const std::string id = run_mark + new_id().substr(1);
  Transaction transaction(archive.database());
  archive.database().run("insert_research_run", id, row_of_task(archive, run.task).id,
                         row_of_device(archive, run.device, run.device_name), run.settings,
                         run.created == Time{} ? now() : run.created);
  set_run_state(archive, id, run.state, run.note);
  transaction.commit();
  return id;
}

void set_run_state(Archive& archive, const std::string& run, RunState state,
                   const std::string& note) {
  archive.database().run("insert_research_state", row_of_research_run(archive, run), name_of(state),
                         note, now());
}

double seconds_at_work(Archive& archive, const std::string& run) {
  double seconds = 0;
  std::optional<Time> begun;
  Time last{};
  const auto end = [&] {
    if (begun) seconds += std::chrono::duration<double>(last - *begun).count();
    begun.reset();
  };
  for (Query query = archive.database().query("times_of_run", row_of_research_run(archive, run));
       query.step();) {
    Time created{};
    std::string state;
    query.read(created, state);
    if (state == name_of(RunState::running)) {
      end();
      begun = created;
    }
    last = created;
    if (!state.empty() && state != name_of(RunState::running)) end();
  }
  end();
  return seconds;
}

ResearchRun get_run(Archive& archive, const std::string& id_or_prefix) {
  ResearchRun run;
  std::int64_t row = 0;
  if (Query query =
          archive.database().query("get_research_run", whole_run_id(archive, id_or_prefix));
      query.step())
    query.read(row, run.id, run.created, run.task, run.task_name, run.device, run.device_name,
               run.settings);
  std::string state;
  if (Query query = archive.database().query("research_state", row); query.step())
    query.read(state, run.note, run.changed);
  run.state = known_state(state);
  return run;
}

std::vector<ResearchRun> list_runs(Archive& archive, int limit) {
  std::vector<ResearchRun> runs;
  for (const std::string& id : read_ids(archive.database().query("list_research_runs", limit)))
    runs.push_back(get_run(archive, id));
  return runs;
}

std::int64_t record_experiment(Archive& archive, const std::string& run,
                               const ExperimentRecord& experiment) {
  Database& database = archive.database();
  const std::int64_t row = row_of_research_run(archive, run);
  const StoredText body = archive.objects().keep(experiment.body);
  database.run("insert_experiment", row, experiment.generation, experiment.kind, experiment.index,
               now(), body.text, body.object);
  std::int64_t number = 0;
  Query query = database.query("experiment_row", row, experiment.generation, experiment.kind,
                               experiment.index);
  if (query.step()) query.read(number);
  return number;
}

std::vector<ExperimentRecord> experiments_of(Archive& archive, const std::string& run) {
  std::vector<ExperimentRecord> experiments;
  Query query = archive.database().query("experiments_of_run", row_of_research_run(archive, run));
  for (StoredText body; query.step();) {
    ExperimentRecord& e = experiments.emplace_back();
    query.read(e.number, e.generation, e.index, e.kind, body.text, body.object);
    e.body = archive.objects().fetch(body);
  }
  return experiments;
}

std::string decide_once(Archive& archive, const std::string& run, const std::string& name,
                        const std::string& body) {
  const std::int64_t row = row_of_research_run(archive, run);
  const StoredText stored = archive.objects().keep(body);
  archive.database().run("insert_decision", row, name, now(), stored.text, stored.object);
  return decision_of_row(archive, row, name).value_or(body);
}

std::optional<std::string> decision(Archive& archive, const std::string& run,
                                    const std::string& name) {
  return decision_of_row(archive, row_of_research_run(archive, run), name);
}

std::vector<std::pair<std::string, std::string>> decisions_of(Archive& archive,
                                                              const std::string& run) {
  std::vector<std::pair<std::string, std::string>> decisions;
  Query query = archive.database().query("decisions_of_run", row_of_research_run(archive, run));
  for (StoredText body; query.step();) {
    auto& [name, text] = decisions.emplace_back();
    query.read(name, body.text, body.object);
    text = archive.objects().fetch(body);
  }
  return decisions;
}

}  // namespace hone::store
