#pragma once
// The tuning loop: points from a strategy to the judge, each recorded in the archive the moment it
// is known; then the best few against the default, and the winner once more in a fresh process. A
// run can be stopped or killed at any moment: started again, it asks its strategy the same
// questions, answers from the archive what was measured, and goes on. One run at a time in a
// process, on one thread.
#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/candidate.h"
#include "judge/judge.h"
#include "store/comparisons.h"
#include "store/evaluations.h"

namespace hone::run {

struct TuneOptions {
  std::filesystem::path task_path;
  std::filesystem::path out;  // where the result goes
  bool force = false;         // whatever stands there (tune_output.h)
  std::string case_name;      // only this case; "": all
  std::size_t max_evals =
      0;  // points of the whole run, resumed or not; 0: all, or most_evals in a local search
  double max_minutes = 0;  // of this call, for the search; 0: no limit
  std::uint64_t seed = 1;
  enum class Start { resume_if_possible, resume, fresh } start = Start::resume_if_possible;
  judge::JudgeOptions judging;
  std::vector<std::string> pass_on;  // options that a fresh process of hone needs as well
};
constexpr std::size_t most_evals = 200;
// Why a run stopped that was interrupted, as the archive keeps it.
constexpr const char* interrupted_note = "it was interrupted; the same command goes on from here";

// How far a run is. Shown after every point.
struct TuneStatus {
  std::size_t done = 0, failed = 0;
  std::size_t stopped_early =
      0;  // after a few samples: they could not become the best (early_stopping.h)
  std::size_t undecided = 0;         // left out: the machine was too busy, twice
  std::size_t known = 0;             // of the done: found in the archive
  std::optional<std::size_t> total;  // of the space
  std::size_t allowed = 0;           // by the budget; 0: no limit
  std::optional<double> default_seconds, best_seconds;
  core::Point best;
  core::Evaluation latest;
};

struct TuneWatcher {
  std::function<void(const std::string&)> say = [](const std::string&) {};  // a sentence
  std::function<void(const TuneStatus&)> point = [](const TuneStatus&) {
  };  // one more point is known
};

struct TuneResult {
  std::string run;                // its id in the archive
  std::string strategy, stopped;  // in words: how it searched, and why it stopped where it did
  bool interrupted = false;
  TuneStatus status;
  std::vector<store::ComparisonRecord> finals;  // the best few against the default
  // The winner, measured once more in a fresh process: what is reported.
  std::optional<core::Point> winner;
  std::optional<core::Candidate> tuned;  // the candidate with the winner's defaults
  std::optional<store::EvaluationRecord> certified;
  std::optional<store::ComparisonRecord>
      compared;  // a: the default, b: the winner. Absent where the default was not accepted
  std::filesystem::path written;  // "": nothing was better
  std::string conclusion;         // a sentence
};

// `cancelled` is looked at between points, and ends a fresh process that is at work; the run can be
// resumed.
TuneResult tune(store::Archive& archive, const core::Task& task, const core::Candidate& candidate,
                const core::DeviceInfo& info, const TuneOptions& options,
                const TuneWatcher& watcher, const std::atomic<bool>& cancelled);

}  // namespace hone::run
