#include "run/run.h"

#include <algorithm>

#include "base/error.h"
#include "run/driver.h"
#include "run/given.h"
#include "run/journal.h"
#include "run/record.h"
#include "run/run_lock.h"

namespace hone::run {

using store::RunState;

const std::vector<std::string>& role_names() {
  static const std::vector<std::string> names{"selector", "designer", "writer", "learner"};
  return names;
}

RunSettings settings_of(store::Archive& archive, const store::ResearchRun& run) {
  const core::Tree tree = tree_of(archive, run.id);
  return settings_from_text(tree.settings.empty() ? run.settings : tree.settings);
}

namespace {

constexpr const char* lock_kind = "research";

std::string begin(const RunRequest& request) {
  const RunContext& context = request.context;
  return store::begin_run(request.archive, {.task = context.task.hash,
                                            .device = context.info.uuid,
                                            .device_name = context.info.name,
                                            .settings = to_text(context.settings)});
}

bool is_recorded(const core::Tree& tree, const core::NodePosition& place) {
  return std::any_of(tree.nodes.begin(), tree.nodes.end(),
                     [&](const auto& node) { return node.place == place; });
}

void record_given(const RunRequest& request, Journal& journal) {
  for (const GivenKernel& given : given_kernels(request.context, request.watcher.say)) {
    if (is_recorded(journal.tree(), given.place)) continue;
    journal.append([&](store::Archive& archive) {
      record_candidate(archive, given.candidate, {{}, given.author, "run " + journal.run()});
      return core::Given{given.place, given.candidate.hash, given.candidate.name, given.author};
    });
  }
}

void record_resumption(const RunRequest& request, Journal& journal, const store::ResearchRun& run) {
  const std::string text = to_text(request.context.settings);
  const std::string& before =
      journal.tree().settings.empty() ? run.settings : journal.tree().settings;
  journal.append(core::Resumed{text == before ? "" : text});
}

}  // namespace

RunResult work_on(const RunRequest& request) {
  store::Archive& archive = request.archive;
  record_task(archive, request.context.task);
  std::string id = request.resume;
  base::Fd lock;
  if (!id.empty()) {
    const auto run = store::get_run(archive, id);
    if (run.task != request.context.task.hash)
      base::fail(base::ExitCode::bad_input,
                 "the task of run {} has changed since: its verdicts would mean something else. "
                 "Begin a new run",
                 run.id);
    id = run.id;
    lock = lock_run(lock_kind, id);
  } else {
    id = begin(request);
    lock = lock_run(lock_kind, id);
  }
  SharedArchive shared(archive);
  Journal journal(shared, id);
  if (!request.resume.empty()) record_resumption(request, journal, store::get_run(archive, id));
  if (journal.tree().actions.empty())
    record_given(request, journal);  // the run before was killed before it decided
  store::set_run_state(archive, id, RunState::running, 
                       request.resume.empty() ? "" : std::string(resumed_note));
  Ledger ledger(shared, id, request.context.settings.budget, request.cancelled);
  RunResult result;
  try {
    result = Driver(request, journal, ledger).work();
  } catch (const std::exception& error) {  // whatever it is, the run is not at work any more
    store::set_run_state(archive, id, RunState::failed, error.what());
    throw;
  }
  store::set_run_state(archive, id, result.state, result.stopped);
  result.status.spending = ledger.spending();
  result.status.minutes = ledger.minutes();
  result.status.budget = request.context.settings.budget;
  return result;
}

}  // namespace hone::run
