#pragma once
// A run of models and judge over one task: a strategy decides, models answer, the judge says what
// is true. Everything is recorded when it is decided and when it is known (run/journal.h): killed
// or stopped at any moment, a run goes on from its records, and nothing that was paid for is asked
// or judged again.
#include <atomic>
#include <functional>
#include <memory>

#include "run/context.h"
#include "run/judges.h"
#include "store/archive.h"
#include "store/comparisons.h"

namespace hone::run {

// What a fresh process found of one node. Number and evaluation belong together: a report that
// names the one beside the other's figures is wrong.
struct Certification {
  int node = 0;
  store::EvaluationRecord record;

  bool passed() const { return record.evaluation.outcome == core::Outcome::accepted; }
};

struct RunResult {
  std::string run;
  store::RunState state = store::RunState::finished;
  std::string stopped;  // why, in words
  std::optional<int> best,
      seed;  // nodes; best: nothing where certification refused all that were tried
  std::optional<Certification>
      certification;  // of the last node that was tried; nothing: it is not known yet
  std::optional<store::ComparisonRecord> compared;  // a: the seed, b: the best
  std::string conclusion;
  std::vector<std::string> away;  // jobs whose results come with a person
  RunStatus status;

  bool certified() const { return certification && certification->passed(); }
};

struct RunRequest {
  store::Archive& archive;
  RunContext context;
  // Makes the judges of the run that give their results to the callback. `enough`: nothing more is
  // waited for.
  std::function<std::unique_ptr<Judges>(const std::string& run, JobCallback,
                                        const std::function<bool()>& enough)>
      judges;
  RunWatcher watcher;
  const std::atomic<bool>& cancelled;
  std::string resume;  // the run to go on with; "": a new one
};

RunResult work_on(const RunRequest& request);

// The newest settings of a run: what is given when it is resumed stays.
RunSettings settings_of(store::Archive& archive, const store::ResearchRun& run);

// The roles that a run may ask, in the order of the loop.
const std::vector<std::string>& role_names();

}  // namespace hone::run
