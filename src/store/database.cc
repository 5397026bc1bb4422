#include "store/database.h"

#include <sqlite3.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "base/resources.h"

namespace hone::store {
namespace {

using base::ExitCode;
using base::fail;

constexpr std::string_view name_mark = "-- name: ";
constexpr const char* query_folder = "sql/queries/";
// Transactions are short (one evaluation); a wait this long means a stopped process, or a disk that
// does not answer.
constexpr int busy_milliseconds = 20'000;
constexpr int busy_step_milliseconds = 5;

// A file of statements, each under a line "-- name: ...".
void add_statements(const std::string& text, std::map<std::string, std::string>& sql) {
  std::string* current = nullptr;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line(text.data() + at, end - at);
    at = end + 1;
    if (line.starts_with(name_mark)) {
      current = &sql[std::string(line.substr(name_mark.size()))];
      current->clear();
    } else if (current != nullptr) {
      current->append(line).append("\n");
    }
  }
}

// What happened and what to do about it. SQLite's extended codes carry the primary one in their
// lowest byte.
std::string explanation(int code, int system_error, const std::string& cause) {
  constexpr int primary = 0xff;
  const bool no_space = system_error == ENOSPC || system_error == EDQUOT || system_error == EFBIG;
  if ((code & primary) == SQLITE_FULL || code == SQLITE_IOERR_WRITE || no_space)
    return fmt::format(
        "there is no space left for the archive ({}), so this was not recorded; nothing recorded "
        "before is lost. Free some space on its disk (or raise a limit set with ulimit -f) and run "
        "the command again, or set HONE_HOME to a folder on another disk",
        cause);
  switch (code & primary) {
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
      return fmt::format(
          "the archive cannot be opened for writing ({}). Make the file and its folder writable, "
          "or set HONE_HOME to a folder that is",
          cause);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return fmt::format(
          "another process has kept the archive locked for {} s. End that process (fuser names it) "
          "and run the command again",
          busy_milliseconds / 1000);
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
      return fmt::format(
          "this is no archive, or a damaged one ({}). Move it away and put a copy in its place, or "
          "set HONE_HOME to another folder",
          cause);
    case SQLITE_IOERR:
      return fmt::format(
          "the archive cannot be read or written ({}). Check the disk, then run the command again",
          cause);
    default:
      return fmt::format("the archive refused ({})", cause);
  }
}

}  // namespace

Time now() {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

void Database::Close::operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }

Database::Database(const std::filesystem::path& path) : path_(path) {
  for (const std::string& name : base::resource_names(query_folder))
    add_statements(base::resource(name), sql_);
  sqlite3* handle = nullptr;
  const int flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  const int code = sqlite3_open_v2(path.c_str(), &handle, flags, nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK) fail(code);
  sqlite3_busy_timeout(handle, busy_milliseconds);
  set_up();
}

Database::~Database() {
  for (const auto& [name, statement] : statements_) sqlite3_finalize(statement);
}

// Changing to the write-ahead log does not go through the busy handler, so processes that make an
// archive at the same moment try again.
void Database::set_up() {
  const std::string script = base::resource("sql/connection.sql");
  for (int waited = 0;; waited += busy_step_milliseconds) {
    const int code = sqlite3_exec(handle_.get(), script.c_str(), nullptr, nullptr, nullptr);
    if (code == SQLITE_OK) return;
    if ((code & 0xff) != SQLITE_BUSY || waited >= busy_milliseconds) fail(code);
    sqlite3_sleep(busy_step_milliseconds);
  }
}

void Database::fail(int code) const {
  const std::string words = handle_ ? sqlite3_errmsg(handle_.get()) : sqlite3_errstr(code);
  const int system_error = handle_ ? sqlite3_system_errno(handle_.get()) : 0;
  const std::string cause =
      system_error == 0 ? words : fmt::format("{}: {}", words, std::strerror(system_error));
  base::fail(ExitCode::archive, "{}: {}", path_.string(), explanation(code, system_error, cause));
}

sqlite3_stmt* Database::prepare(const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(handle_.get(), sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (code != SQLITE_OK) fail(code);
  return statement;
}

sqlite3_stmt* Database::prepared(const std::string& name) {
  sqlite3_stmt*& statement = statements_[name];
  if (statement == nullptr) {
    const auto sql = sql_.find(name);
    if (sql == sql_.end())
      base::fail(ExitCode::environment,
                 "no file under resources/{} has a statement named {}. If --resources or "
                 ".hone/resources replaces these files, export them again",
                 query_folder, name);
    statement = prepare(sql->second);
  }
  return statement;
}

void Database::run_script(const std::string& sql) {
  if (const int code = sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr);
      code != SQLITE_OK)
    fail(code);
}

std::int64_t Database::last_row() const { return sqlite3_last_insert_rowid(handle_.get()); }
int Database::changes() const { return sqlite3_changes(handle_.get()); }

std::string Database::plan_of(const std::string& name) {
  sqlite3_stmt* statement = prepare("EXPLAIN QUERY PLAN " + sql_.at(name));
  constexpr int detail = 3;
  std::string plan;
  while (sqlite3_step(statement) == SQLITE_ROW)
    plan.append(reinterpret_cast<const char*>(sqlite3_column_text(statement, detail))).append("\n");
  sqlite3_finalize(statement);
  return plan;
}

Transaction::Transaction(Database& database) : database_(database) {
  if (database_.transactions_ == 0) {
    database_.run("begin");
    database_.rolling_back_ = false;
  }
  ++database_.transactions_;
}

Transaction::~Transaction() {
  if (!open_) return;
  database_.rolling_back_ = true;
  // SQLite has already rolled back by itself after some errors (a full disk).
  if (--database_.transactions_ == 0 && sqlite3_get_autocommit(database_.handle_.get()) == 0)
    sqlite3_exec(database_.handle_.get(), database_.sql_.at("rollback").c_str(), nullptr, nullptr,
                 nullptr);
}

void Transaction::commit() {
  if (database_.rolling_back_)
    fail(ExitCode::archive, "{}: nothing of this batch was recorded, because a part of it failed",
         database_.path_.string());
  if (database_.transactions_ == 1) database_.run("commit");
  --database_.transactions_;
  open_ = false;
}

}  // namespace hone::store
