#pragma once
// Tuning runs in the archive: what was asked, the evaluations it met, and its state, so that a run
// can go on after any kind of end.
#include <optional>
#include <string>
#include <vector>

#include "store/archive.h"
#include "store/evaluations.h"

namespace hone::store {

enum class TuningState {
  running,
  stopped,
  finished,
  failed
};  // running: or killed, which leaves no record
std::string_view name_of(TuningState state);

struct TuningRun {
  std::string id;                         // given by the archive
  Time created{};                         // 0: now
  std::string task, task_name;            // task: hash; names are filled in by the archive
  std::string candidate, candidate_name;  // candidate: hash
  std::string device, device_name;        // device: UUID
  std::string driver, compiler;
  int protocol = 1;
  std::string settings;  // JSON of the tuner's own: the archive does not look inside
  TuningState state = TuningState::running;
  std::string note;  // why it stopped or failed
  std::optional<std::string> winner_evaluation,
      winner_candidate;  // id; hash of the result with its defaults set
  Time changed{};        // of the state
};

std::string start_tuning_run(Archive& archive,
                             const TuningRun& run);  // gives its id; its state is running
void link_tuning_point(Archive& archive, const std::string& run,
                       const std::string& evaluation);  // one found again rather than measured
void set_tuning_state(Archive& archive, const std::string& run, TuningState state,
                      const std::string& note = "",
                      const std::optional<std::string>& winner_evaluation = std::nullopt,
                      const std::optional<std::string>& winner_candidate = std::nullopt);

TuningRun get_tuning_run(Archive& archive, const std::string& id_or_prefix);
std::vector<TuningRun> list_tuning_runs(Archive& archive, int limit);  // newest first
// The newest run of this candidate that is not finished, if there is one.
std::optional<TuningRun> find_unfinished_run(Archive& archive, const std::string& task,
                                             const std::string& candidate,
                                             const std::string& device);
std::vector<EvaluationLine> tuning_points(Archive& archive,
                                          const std::string& run);  // in the order the run met them

}  // namespace hone::store
