#include "store/evaluations.h"

#include <limits>

#include "base/error.h"
#include "store/encoding.h"
#include "store/metrics.h"
#include "store/standing.h"

namespace hone::store {
namespace {

using base::ExitCode;
using base::fail;

std::vector<core::Evidence> get_evidence(Database& database, std::int64_t row) {
  std::vector<core::Evidence> all;
  for (Query query = database.query("get_evidence", row); query.step();) {
    core::Evidence& e = all.emplace_back();
    query.read(e.guard, e.row, e.convicts, e.case_name, e.text);
  }
  return all;
}

std::vector<core::CaseResult> get_cases(Database& database, std::int64_t row) {
  std::vector<core::CaseResult> all;
  std::string flops;
  for (Query query = database.query("get_cases", row); query.step();) {
    core::CaseResult& c = all.emplace_back();
    query.read(c.name, c.timed, c.median, c.interval.low, c.interval.high, c.wall_median,
               c.first_call, c.bytes, c.flops, flops, c.bandwidth, c.rate, c.ceiling_fraction,
               c.ceiling, c.error_max, c.error_rms, c.honest_rms, c.samples, c.wall_samples);
    decode(flops, c.flops_by_kind);
  }
  return all;
}

bool read_line(Query& query, EvaluationLine& line) {
  if (!query.step()) return false;
  std::string point, cases, depth, outcome;
  query.read(line.id, line.created, line.task_name, line.candidate, line.candidate_name, point,
             cases, depth, outcome, line.geomean, line.device_name, line.seconds_total);
  decode(point, line.point);
  decode(cases, line.cases);
  line.depth = known_depth(depth);
  line.outcome = known_outcome(outcome);
  return true;
}

}  // namespace

core::Outcome known_outcome(const std::string& name) {
  if (const auto outcome = core::outcome_from(name)) return *outcome;
  fail(ExitCode::archive,
       "the archive holds the outcome '{}', which this hone does not know: use a newer one", name);
}

core::Depth known_depth(const std::string& name) {
  if (const auto depth = core::depth_from(name)) return *depth;
  fail(ExitCode::archive,
       "the archive holds the depth '{}', which this hone does not know: use a newer one", name);
}

EvaluationRecord get_evaluation(Archive& archive, const std::string& id) {
  Database& database = archive.database();
  EvaluationRecord record;
  core::Evaluation& evaluation = record.evaluation;
  core::EvaluationKey& key = evaluation.key;
  std::int64_t row = 0;
  std::string point, cases, depth, outcome;
  StoredText log;
  {
    Query query = database.query("get_evaluation", id);
    if (!query.step())
      fail(ExitCode::bad_input, "the archive has no evaluation with the id {}", id);
    query.read(row, record.id, record.created, record.task_name, record.candidate_name,
               record.device_name, key.candidate, point, cases, key.task, key.device, key.driver,
               key.compiler, key.protocol, depth, outcome, evaluation.geomean,
               evaluation.seconds_total, evaluation.seconds_build, evaluation.seconds_kernels,
               evaluation.seconds_reference, log.text, log.object);
  }
  decode(point, key.point);
  decode(cases, key.cases);
  key.depth = known_depth(depth);
  evaluation.outcome = known_outcome(outcome);
  evaluation.build_log = archive.objects().fetch(log);
  evaluation.evidence = get_evidence(database, row);
  evaluation.cases = get_cases(database, row);
  evaluation.metrics = get_metrics(database, "get_metrics", row);
  return record;
}

std::optional<EvaluationRecord> find_evaluation(Archive& archive, const core::EvaluationKey& key) {
  std::string id;
  {
    Query query = archive.database().query("newest_of_identity",
                                           std::span<const unsigned char>(identity_of(key)));
    if (!query.step()) return std::nullopt;
    query.read(id);
  }
  return get_evaluation(archive, id);
}

std::vector<EvaluationLine> read_evaluation_lines(Query query) {
  std::vector<EvaluationLine> lines;
  for (EvaluationLine line; read_line(query, line);) lines.push_back(std::move(line));
  return lines;
}

std::vector<EvaluationLine> list_evaluations(Archive& archive, const EvaluationFilter& filter) {
  Database& database = archive.database();
  const std::int64_t before = filter.before.empty() ? std::numeric_limits<std::int64_t>::max()
                                                    : row_of_evaluation(archive, filter.before);
  const std::string_view outcome = filter.outcome ? core::name_of(*filter.outcome) : "";
  if (!filter.task.empty() && filter.outcome)
    return read_evaluation_lines(database.query("list_evaluations_of_task_with_outcome", before,
                                                filter.limit, filter.task, outcome));
  if (!filter.task.empty())
    return read_evaluation_lines(
        database.query("list_evaluations_of_task", before, filter.limit, filter.task));
  if (filter.outcome)
    return read_evaluation_lines(
        database.query("list_evaluations_with_outcome", before, filter.limit, outcome));
  return read_evaluation_lines(database.query("list_evaluations", before, filter.limit));
}

std::vector<EvaluationLine> evaluations_of(Archive& archive, const std::string& candidate,
                                           int limit) {
  return read_evaluation_lines(archive.database().query(
      "list_evaluations_of_candidate", std::numeric_limits<std::int64_t>::max(), limit, candidate));
}

std::optional<EvaluationLine> best_evaluation(Archive& archive, const std::string& task_hash,
                                              const std::string& device_uuid, int protocol,
                                              core::Depth depth) {
  Query query = archive.database().query("best_evaluation", task_hash, device_uuid, protocol,
                                         core::name_of(depth));
  for (EvaluationLine line; read_line(query, line);)
    if (!refusal_of(archive, {.candidate = line.candidate,
                              .point = line.point,
                              .task = task_hash,
                              .device = device_uuid}))
      return line;
  return std::nullopt;
}

std::int64_t row_of_evaluation(Archive& archive, const std::string& id) {
  std::int64_t row = 0;
  Query query = archive.database().query("evaluation_row", id);
  if (!query.step())
    fail(ExitCode::bad_input, "the archive has no evaluation with the id {}: `hone log` lists them",
         id);
  query.read(row);
  return row;
}

}  // namespace hone::store
