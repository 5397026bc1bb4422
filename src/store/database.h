#pragma once
// SQLite as the rest of the store sees it: named statements from resources/sql/queries, values
// bound and read in order, and errors that say what to do. One connection, owned by an Archive and
// used by one thread at a time; many processes may have connections to the same file.
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace hone::store {

using Time = std::chrono::sys_time<std::chrono::milliseconds>;
Time now();

class Database;

// One use of a prepared statement, which goes back to the database when the use ends.
class Query {
 public:
  Query(Query&& other) noexcept;
  ~Query();

  bool step();  // true: there is a row
  // Reads the row's columns in order. NULL is NaN for a double, "" for a string and nothing for an
  // optional.
  template <typename... Values>
  void read(Values&... values) {
    int column = 0;
    (get(column++, values), ...);
  }

 private:
  friend class Database;
  Query(Database& database, sqlite3_stmt* statement)
      : database_(&database), statement_(statement) {}

  void bind(int index, std::nullopt_t);
  void bind(int index, std::int64_t value);
  void bind(int index, int value) { bind(index, std::int64_t{value}); }
  void bind(int index, bool value) { bind(index, std::int64_t{value ? 1 : 0}); }
  void bind(int index, double value);
  void bind(int index, std::string_view text);
  void bind(int index, const std::string& text) { bind(index, std::string_view(text)); }
  void bind(int index, const char* text) { bind(index, std::string_view(text)); }
  void bind(int index, std::span<const double> blob);
  void bind(int index, const std::vector<double>& blob) { bind(index, std::span(blob)); }
  void bind(int index, std::span<const unsigned char> blob);
  void bind(int index, Time time) { bind(index, std::int64_t{time.time_since_epoch().count()}); }
  template <typename T>
  void bind(int index, const std::optional<T>& value) {
    value ? bind(index, *value) : bind(index, std::nullopt);
  }

  bool is_null(int column) const;
  void get(int column, std::int64_t& value) const;
  void get(int column, int& value) const;
  void get(int column, bool& value) const;
  void get(int column, double& value) const;
  void get(int column, std::string& value) const;
  void get(int column, std::vector<double>& value) const;
  void get(int column, Time& value) const;
  template <typename T>
  void get(int column, std::optional<T>& value) const {
    value.reset();
    if (!is_null(column)) get(column, value.emplace());
  }

  Database* database_;
  sqlite3_stmt* statement_;
};

class Database {
 public:
  // Opens or makes the file, and sets the connection up. Throws Error (ExitCode::archive).
  explicit Database(const std::filesystem::path& path);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // A named statement with its parameters bound, ready to be stepped.
  template <typename... Values>
  Query query(const std::string& name, const Values&... values) {
    Query query(*this, prepared(name));
    int index = 1;
    (query.bind(index++, values), ...);
    return query;
  }
  // The same, run to its end. Says how many rows it changed.
  template <typename... Values>
  int run(const std::string& name, const Values&... values) {
    Query statement = query(name, values...);
    while (statement.step()) {
    }
    return changes();
  }
  void run_script(const std::string& sql);  // many statements, not cached
  std::int64_t last_row() const;

  const std::filesystem::path& path() const { return path_; }
  // How SQLite would go about a statement, one step a line: for tests of the indexes.
  std::string plan_of(const std::string& name);

 private:
  friend class Query;
  friend class Transaction;
  sqlite3_stmt* prepared(const std::string& name);
  sqlite3_stmt* prepare(const std::string& sql);
  int changes() const;
  void set_up();
  [[noreturn]] void fail(int code) const;

  struct Close {
    void operator()(sqlite3* handle) const;
  };
  std::filesystem::path path_;
  std::unique_ptr<sqlite3, Close> handle_;
  std::map<std::string, std::string> sql_;  // by name
  std::map<std::string, sqlite3_stmt*> statements_;
  int transactions_ = 0;       // how deep
  bool rolling_back_ = false;  // an inner one was rolled back, so the outermost must be too
};

// Everything between construction and commit() happens, or nothing. Inner ones join the outermost;
// if one of them is rolled back, so is all.
class Transaction {
 public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace hone::store
