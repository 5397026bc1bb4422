#pragma once
// Evaluations in the archive: recorded whole, found again by key, id, task, candidate or rank.
#include <optional>
#include <string>
#include <vector>

#include "base/fields_fwd.h"
#include "core/evaluation.h"
#include "store/archive.h"

namespace hone::store {

// Its task and candidate have to be recorded before. Gives the new evaluation's id. With a tuning
// run's id it is linked to that run, in the same transaction. The same key may be recorded again:
// both stay, and the newest is the one that is found.
std::string record_evaluation(Archive& archive, const core::Evaluation& evaluation,
                              const std::string& device_name, const std::string& tuning_run = "",
                              Time created = now());

struct EvaluationRecord {
  std::string id;
  Time created{};
  std::string task_name, candidate_name, device_name;
  core::Evaluation evaluation;
};
std::optional<EvaluationRecord> find_evaluation(
    Archive& archive,
    const core::EvaluationKey& key);  // the newest that was decided
EvaluationRecord get_evaluation(Archive& archive,
                                const std::string& id);  // a whole id; see find_by_id()

// An evaluation as a line of a list.
struct EvaluationLine {
  std::string id;
  Time created{};
  std::string task_name, candidate, candidate_name;  // candidate: hash
  core::Point point;
  std::vector<std::string> cases;
  core::Depth depth = core::Depth::screen;
  core::Outcome outcome = core::Outcome::rejected;
  std::optional<double> geomean;
  std::string device_name;
  double seconds_total = 0;
};
void describe(base::Fields& fields, const EvaluationLine& line);  // in JSON: see base/fields.h

struct EvaluationFilter {
  std::string task;  // name; "": all
  std::optional<core::Outcome> outcome;
  std::string before;  // id: only what was recorded earlier, which is how a next page is asked for
  int limit = 20;
};
std::vector<EvaluationLine> list_evaluations(Archive& archive,
                                             const EvaluationFilter& filter);  // newest first
std::vector<EvaluationLine> evaluations_of(Archive& archive, const std::string& candidate,
                                           int limit);

// The accepted evaluation with the smallest geometric mean over all cases, among those that the
// same rules judged on one device; without candidates that a stronger evaluation refused
// (store/standing.h).
std::optional<EvaluationLine> best_evaluation(Archive& archive, const std::string& task_hash,
                                              const std::string& device_uuid, int protocol,
                                              core::Depth depth);

// ---- for the other subjects
std::int64_t row_of_evaluation(Archive& archive, const std::string& id);
std::int64_t row_of_device(Archive& archive, const std::string& uuid,
                           const std::string& name);  // recorded if it is new
std::vector<EvaluationLine> read_evaluation_lines(Query query);
// Throw Error (archive): a newer hone wrote something that this one does not know.
core::Outcome known_outcome(const std::string& name);
core::Depth known_depth(const std::string& name);

}  // namespace hone::store
