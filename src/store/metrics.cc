#include "store/metrics.h"

#include <cmath>

namespace hone::store {
namespace {

std::int64_t row_of_tag(Database& database, const core::Metric& metric) {
  database.run("insert_tag", metric.tag, metric.hint);
  std::int64_t row = 0;
  if (Query query = database.query("tag_row", metric.tag, metric.hint); query.step())
    query.read(row);
  return row;
}

}  // namespace

void insert_metrics(Database& database, const std::string& statement, std::int64_t row,
                    const std::vector<core::Metric>& metrics) {
  int ord = 0;
  for (const core::Metric& m : metrics) {
    // A metric has a value or a reason; SQLite keeps NaN as no value.
    const bool has_value = m.value && !std::isnan(*m.value);
    const std::string missing = has_value || !m.missing.empty() ? m.missing
                                : m.value                       ? "not a number"
                                                                : "no reason was given";
    database.run(statement, row, ord++, row_of_tag(database, m), m.value, missing, m.case_name,
                 m.launch, m.line);
  }
}

std::vector<core::Metric> get_metrics(Database& database, const std::string& statement,
                                      std::int64_t row) {
  std::vector<core::Metric> all;
  for (Query query = database.query(statement, row); query.step();) {
    core::Metric& m = all.emplace_back();
    query.read(m.tag, m.hint, m.value, m.missing, m.case_name, m.launch, m.line);
  }
  return all;
}

}  // namespace hone::store
