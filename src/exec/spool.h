#pragma once
// A folder that several machines share: jobs wait in it, workers claim them, results come back
// (docs/cluster.md). Everything that changes hands does so by a rename or a link, which one process
// wins; there are no file locks, and no file's time is looked at. A process may be killed at any
// point: a job is waiting, claimed, or has its result, and never none of these.
//     SPOOL/spool                          what all sides must agree on
//     SPOOL/jobs/NAME~ATTEMPT              waits to be done
//     SPOOL/workers/WORKER/NAME~ATTEMPT    is done by that worker (exec/worker_place.h)
//     SPOOL/lost/WORKER/NAME~ATTEMPT       was: it goes back to jobs/ (exec/spool_watch.h)
//     SPOOL/results/NAME                   written once; the first one stays
//     SPOOL/failed/WORKER                  why a worker ended by itself
// What lies there may be a stranger's: names that make no sense are passed over, links are not
// followed, sizes are bounded. Any thread, any process.
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "base/fields_fwd.h"
#include "base/result.h"
#include "exec/executor.h"

namespace hone::exec {

// A job in the spool. How often work on it was begun before is part of its file's name.
struct SpoolJob {
  std::string name;
  int attempt = 1;
  auto operator<=>(const SpoolJob&) const = default;
};
std::string file_name_of(const SpoolJob& job);
std::optional<SpoolJob> spool_job_from(const std::string& file_name);  // nothing: not one of ours

struct SpoolSettings {
  double lost_after =
      60;  // seconds without a sign of life, after which a worker's job is another's
  std::string language, device;  // what its jobs are written for; "": not known yet
};
constexpr int spool_format = 1;
constexpr double least_lost_after = 0.5, most_lost_after = 3600;
void describe(base::Fields& fields, SpoolSettings& settings);

class Spool {
 public:
  explicit Spool(std::filesystem::path folder) : folder_(std::move(folder)) {}
  const std::filesystem::path& path() const { return folder_; }

  // Makes the folders and the settings where there are none, and answers with those in force: the
  // ones that were there stay. Throws Error where they are of another format or another device.
  SpoolSettings open(const SpoolSettings& wanted) const;

  // Where the job is in the spool in any state, nothing is done. The error: there was no space.
  std::error_code put(const PackedJob& job) const;
  std::optional<PackedResult> result(const std::string& name) const;  // throws Error: unreadable
  bool has_result(const std::string& name) const;
  void discard_result(const std::string& name) const;  // the job may then be put again

  std::vector<SpoolJob> waiting() const;
  std::vector<std::string> workers() const;  // those that have not been found lost
  std::vector<std::string> lost() const;
  std::vector<SpoolJob> claims_of(const std::string& worker) const;
  // Why workers ended by themselves: by worker, in sentences.
  std::vector<std::pair<std::string, std::string>> failures() const;

 private:
  bool knows(const std::string& name) const;
  std::filesystem::path folder_;
};

// ---- what the parts of a spool share

std::vector<SpoolJob> jobs_in(const std::filesystem::path& folder);  // by name
std::vector<std::string> folders_in(const std::filesystem::path& folder);
// The text of a file that may be a stranger's, or why it is not read.
base::Result<std::string> read_untrusted(const std::filesystem::path& path, std::uint64_t most);
// Written in place and flushed; the error is that of the system.
std::error_code write_flushed(const std::filesystem::path& path, std::string_view text);
// No space, which may come back: the work waits for it instead of failing.
bool is_full(std::error_code error);

}  // namespace hone::exec
