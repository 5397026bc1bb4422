// Writing an evaluation: see store/evaluations.h.
#include "base/error.h"
#include "store/candidates.h"
#include "store/encoding.h"
#include "store/evaluations.h"
#include "store/metrics.h"
#include "store/tuning.h"

namespace hone::store {
namespace {

std::int64_t insert_evaluation(Archive& archive, const std::string& id,
                               const core::Evaluation& evaluation, const std::string& device_name,
                               Time created) {
  const core::EvaluationKey& key = evaluation.key;
  const TaskRow task = row_of_task(archive, key.task);
  const StoredText log = archive.objects().keep(evaluation.build_log);
  archive.database().run("insert_evaluation", id, std::span<const unsigned char>(identity_of(key)),
                         row_of_candidate(archive, key.candidate), task.id, task.name,
                         row_of_device(archive, key.device, device_name), key.driver, key.compiler,
                         key.protocol, core::name_of(key.depth), encode(key.point),
                         encode(key.cases), core::name_of(evaluation.outcome), evaluation.geomean,
                         evaluation.seconds_total, evaluation.seconds_build,
                         evaluation.seconds_kernels, evaluation.seconds_reference, created,
                         log.text, log.object);
  return archive.database().last_row();
}

void insert_evidence(Database& database, std::int64_t row,
                     const std::vector<core::Evidence>& evidence) {
  int ord = 0;
  for (const core::Evidence& e : evidence)
    database.run("insert_evidence", row, ord++, e.guard, e.row, e.convicts, e.case_name, e.text);
}

void insert_cases(Database& database, std::int64_t row,
                  const std::vector<core::CaseResult>& cases) {
  int ord = 0;
  for (const core::CaseResult& c : cases)
    database.run("insert_case", row, ord++, c.name, c.timed, c.median, c.interval.low,
                 c.interval.high, c.wall_median, c.first_call, c.bytes, c.flops,
                 encode(c.flops_by_kind), c.bandwidth, c.rate, c.ceiling_fraction, c.ceiling,
                 c.error_max, c.error_rms, c.honest_rms, c.samples, c.wall_samples);
}

}  // namespace

std::string record_evaluation(Archive& archive, const core::Evaluation& evaluation,
                              const std::string& device_name, const std::string& tuning_run,
                              Time created) {
  Database& database = archive.database();
  const std::string id = new_id();
  Transaction transaction(database);
  const std::int64_t row = insert_evaluation(archive, id, evaluation, device_name, created);
  insert_evidence(database, row, evaluation.evidence);
  insert_cases(database, row, evaluation.cases);
  insert_metrics(database, "insert_metric", row, evaluation.metrics);
  if (!tuning_run.empty()) link_tuning_point(archive, tuning_run, id);
  transaction.commit();
  return id;
}

std::int64_t row_of_device(Archive& archive, const std::string& uuid, const std::string& name) {
  archive.database().run("insert_device", uuid, name);
  std::int64_t row = 0;
  if (Query query = archive.database().query("device_row", uuid); query.step()) query.read(row);
  return row;
}

}  // namespace hone::store
