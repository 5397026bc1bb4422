#include "store/comparisons.h"

#include "base/error.h"
#include "store/candidates.h"
#include "store/encoding.h"
#include "store/evaluations.h"

namespace hone::store {
namespace {

core::Comparison known_word(const std::string& name) {
  using core::Comparison;
  for (const auto word :
       {Comparison::faster, Comparison::slower, Comparison::same, Comparison::cannot_tell})
    if (core::name_of(word) == name) return word;
  base::fail(
      base::ExitCode::archive,
      "the archive holds the comparison '{}', which this hone does not know: use a newer one",
      name);
}

std::vector<ComparedCase> get_compared_cases(Database& database, std::int64_t row) {
  std::vector<ComparedCase> cases;
  for (Query query = database.query("get_comparison_cases", row); query.step();) {
    ComparedCase& c = cases.emplace_back();
    query.read(c.name, c.ratio, c.interval.low, c.interval.high, c.block_ratios);
  }
  return cases;
}

}  // namespace

std::string record_comparison(Archive& archive, const ComparisonRecord& comparison) {
  Database& database = archive.database();
  const std::string id = new_id();
  const ComparisonRecord& c = comparison;
  Transaction transaction(database);
  database.run("insert_comparison", id, row_of_task(archive, c.task).id,
               row_of_device(archive, c.device, c.device_name), c.driver, c.compiler, c.protocol,
               row_of_candidate(archive, c.a.candidate), encode(c.a.point),
               row_of_candidate(archive, c.b.candidate), encode(c.b.point), c.ratio, c.interval.low,
               c.interval.high, c.margin, core::name_of(c.word), c.stopped_by, c.seconds,
               c.created == Time{} ? now() : c.created);
  const std::int64_t row = database.last_row();
  int ord = 0;
  for (const ComparedCase& each : c.cases)
    database.run("insert_comparison_case", row, ord++, each.name, each.ratio, each.interval.low,
                 each.interval.high, each.block_ratios);
  transaction.commit();
  return id;
}

std::int64_t row_of_comparison(Archive& archive, const std::string& id) {
  std::int64_t row = 0;
  Query query = archive.database().query("comparison_row", id);
  if (!query.step())
    base::fail(base::ExitCode::bad_input, "the archive has no comparison with the id {}", id);
  query.read(row);
  return row;
}

std::vector<ComparisonRecord> read_comparisons(Archive& archive, Query query) {
  std::vector<ComparisonRecord> records;
  std::string point_a, point_b, word;
  std::int64_t row = 0;
  while (query.step()) {
    ComparisonRecord& c = records.emplace_back();
    query.read(row, c.id, c.created, c.task, c.task_name, c.device, c.device_name, c.driver,
               c.compiler, c.protocol, c.a.candidate, point_a, c.b.candidate, point_b, c.ratio,
               c.interval.low, c.interval.high, c.margin, word, c.stopped_by, c.seconds);
    decode(point_a, c.a.point);
    decode(point_b, c.b.point);
    c.word = known_word(word);
    c.cases = get_compared_cases(archive.database(), row);
  }
  return records;
}

std::vector<ComparisonRecord> comparisons_of(Archive& archive, const std::string& candidate,
                                             int limit) {
  return read_comparisons(archive,
                          archive.database().query("comparisons_of_candidate", candidate, limit));
}

}  // namespace hone::store
