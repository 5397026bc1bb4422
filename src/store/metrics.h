#pragma once
// Metrics of an evaluation or of a profile: two tables of one shape, with common tags. For this
// module.
#include <string>
#include <vector>

#include "core/evaluation.h"
#include "store/database.h"

namespace hone::store {

// `statement` inserts one metric of the row, or reads all of it.
void insert_metrics(Database& database, const std::string& statement, std::int64_t row,
                    const std::vector<core::Metric>& metrics);
std::vector<core::Metric> get_metrics(Database& database, const std::string& statement,
                                      std::int64_t row);

}  // namespace hone::store
