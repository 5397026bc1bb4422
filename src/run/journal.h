#pragma once
// The journal of a run: the only code that knows how a run is stored. Records are typed and only
// appended; the run's tree is made of them alone, so resuming a run is reading its journal. What
// belongs with a record (a candidate's source, an evaluation) is on the disk in the same
// transaction, or not at all. Appending is for one thread, the run's driver; the archive behind it
// is shared.
#include <functional>
#include <string>
#include <vector>

#include "core/records.h"
#include "run/shared_archive.h"
#include "store/research.h"

namespace hone::run {

class Journal {
 public:
  // Reads what the run has recorded. Throws Error for a run of an earlier archive that cannot go
  // on.
  Journal(SharedArchive& archive, std::string run);

  const std::string& run() const { return run_; }
  const core::Tree& tree() const { return tree_; }
  SharedArchive& archive() { return archive_; }

  // What `make` writes into the archive and the record it gives are one transaction.
  void append(const std::function<core::Record(store::Archive&)>& make);
  void append(core::Record record);

 private:
  SharedArchive& archive_;
  std::string run_;
  core::Tree tree_;
};

// The records of a run, for those that only read: reports, lists, replays. Runs of archives before
// the journal are read as if they had one (old_runs.h).
std::vector<core::Record> records_of(store::Archive& archive, const std::string& run);
core::Tree tree_of(store::Archive& archive, const std::string& run);
bool has_journal(store::Archive& archive, const std::string& run);

// The row by which the ledger of advice knows an intent; it is made where there is none.
std::int64_t experiment_row(store::Archive& archive, const std::string& run,
                            const core::Intent& intent);

}  // namespace hone::run
