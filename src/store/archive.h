#pragma once
// The archive: everything that was judged, in one SQLite file with large texts beside it.
// Append-only; what a record_...() function returned from is on the disk. An Archive is one
// connection, used by one thread at a time; any number of processes may have the same file open.
// What can be recorded and asked stands by subject in store/candidates.h, evaluations.h,
// comparisons.h, tuning.h, research.h, findings.h, profiles.h and advice_ledger.h.
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "store/database.h"
#include "store/objects.h"

namespace hone::store {

struct ArchiveCounts {
  std::int64_t tasks = 0, candidates = 0, evaluations = 0, comparisons = 0, tuning_runs = 0,
               research_runs = 0;
};

class Archive {
 public:
  // Opens the file, makes it if there is none, and brings an older one to this version. Throws
  // Error (ExitCode::archive) that names the fix.
  static Archive open(const std::filesystem::path& path = default_path());
  // One with nothing in it and in no file: for commands that read where nothing was recorded yet.
  static Archive empty();
  static std::filesystem::path default_path();  // archive.db in the home folder

  const std::filesystem::path& path() const { return database_->path(); }
  int version();
  ArchiveCounts counts();
  // What is wrong with it; empty if it is whole. Reads all of the database.
  std::vector<std::string> check();

  // For the functions of this module; no other module speaks SQL.
  Database& database() { return *database_; }
  const Objects& objects() const { return objects_; }

 private:
  explicit Archive(const std::filesystem::path& path);
  std::unique_ptr<Database> database_;  // transactions hold on to it while an Archive is moved
  Objects objects_;
};

// Many records as one: all of them or none, with one flush. For imports and benchmarks.
class ArchiveTransaction {
 public:
  explicit ArchiveTransaction(Archive& archive) : transaction_(archive.database()) {}
  void commit() { transaction_.commit(); }

 private:
  Transaction transaction_;
};

// ---- ids: candidates are known by their hash; evaluations, comparisons, tuning runs, profiles and
// findings by twelve hexadecimal digits; research runs by an r and eleven of them, so that no
// prefix of one is a prefix of anything else

constexpr std::size_t shortest_prefix = 4, id_digits = 12, short_hash_digits = 10;
std::string new_id();
std::string short_hash(const std::string& hash);

struct Found {
  enum class Kind { candidate, evaluation, profile } kind = Kind::candidate;
  std::string id;  // whole
};
// What a person means by a whole id or a prefix of one. Throws Error (bad_input): nothing has
// it, or several do, which are listed.
Found find_by_id(Archive& archive, const std::string& id_or_prefix);
std::string checked_prefix(
    const std::string& prefix);                  // in lower case; throws Error if it cannot be one
std::vector<std::string> read_ids(Query query);  // the first column of every row

}  // namespace hone::store
