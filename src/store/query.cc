// Values in and out of statements: see store/database.h.
#include <sqlite3.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "store/database.h"

namespace hone::store {

static_assert(std::endian::native == std::endian::little, "sample blobs are little-endian doubles");

Query::Query(Query&& other) noexcept
    : database_(other.database_), statement_(std::exchange(other.statement_, nullptr)) {}

Query::~Query() {
  if (statement_ == nullptr) return;
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
}

bool Query::step() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) database_->fail(code);
  return false;
}

// Text and blobs are copied (SQLITE_TRANSIENT): callers pass temporaries, which are gone before the
// first step.
void Query::bind(int index, std::nullopt_t) { sqlite3_bind_null(statement_, index); }
void Query::bind(int index, std::int64_t value) { sqlite3_bind_int64(statement_, index, value); }
void Query::bind(int index, double value) {
  sqlite3_bind_double(statement_, index, value);
}  // SQLite makes NaN NULL
void Query::bind(int index, std::string_view text) {
  sqlite3_bind_text64(statement_, index, text.data() == nullptr ? "" : text.data(), text.size(),
                      SQLITE_TRANSIENT, SQLITE_UTF8);
}
void Query::bind(int index, std::span<const unsigned char> blob) {
  // A null pointer would bind NULL; an empty blob is something else.
  sqlite3_bind_blob64(statement_, index,
                      blob.empty() ? reinterpret_cast<const unsigned char*>("") : blob.data(),
                      blob.size(), SQLITE_TRANSIENT);
}
void Query::bind(int index, std::span<const double> blob) {
  bind(index, std::span(reinterpret_cast<const unsigned char*>(blob.data()), blob.size_bytes()));
}

bool Query::is_null(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}
void Query::get(int column, std::int64_t& value) const {
  value = sqlite3_column_int64(statement_, column);
}
void Query::get(int column, int& value) const { value = sqlite3_column_int(statement_, column); }
void Query::get(int column, bool& value) const {
  value = sqlite3_column_int(statement_, column) != 0;
}
void Query::get(int column, double& value) const {
  value = is_null(column) ? std::numeric_limits<double>::quiet_NaN()
                          : sqlite3_column_double(statement_, column);
}
void Query::get(int column, std::string& value) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  value.assign(text == nullptr ? "" : text,
               static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)));
}
void Query::get(int column, std::vector<double>& value) const {
  const void* blob = sqlite3_column_blob(statement_, column);
  value.resize(static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)) / sizeof(double));
  if (!value.empty()) std::memcpy(value.data(), blob, value.size() * sizeof(double));
}
void Query::get(int column, Time& value) const {
  value = Time(std::chrono::milliseconds(sqlite3_column_int64(statement_, column)));
}

}  // namespace hone::store
