#pragma once
// Work that travels: the open jobs of a folder packed into one self-contained file, done where the
// GPU is, and the results brought back (docs/cluster.md). A bundle may come from a stranger: names,
// sizes and hashes are checked before anything is written or run, nothing in it is used as a path,
// and it cannot switch a sandbox off.
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/fields_fwd.h"
#include "base/result.h"
#include "run/job.h"

namespace hone::run {

constexpr int bundle_format = 2, results_format = 2;

// ---- here

struct Packed {
  std::string id;  // the bundle's: a hash of all that is in it
  std::size_t jobs = 0, tasks = 0;
  std::uint64_t bytes = 0;
};
// All jobs of the folder that have no result yet. Throws Error where there is none, or a task has
// changed since.
Packed pack_bundle(const std::filesystem::path& folder, const std::filesystem::path& file);

struct Imported {
  std::size_t fresh = 0;    // results that were not here before
  std::size_t known = 0;    // ignored: they were
  std::size_t missing = 0;  // jobs of the bundle that the file has no result for
  bool cut = false;         // the file ends within a record: the rest of it was left behind
};
void describe(base::Fields& fields, const Imported& imported);
// Throws Error for a file that is damaged, of another version, or of a bundle that was not packed
// from this folder.
Imported import_results(const std::filesystem::path& folder, const std::filesystem::path& file);

// ---- there

struct Bundle {
  std::string id;
  std::map<std::string, std::map<std::string, std::string>> tasks;  // by hash: file name to text
  std::vector<Job> jobs;
};
base::Result<Bundle> parse_bundle(std::string_view bytes);
Bundle read_bundle(const std::filesystem::path& file);  // throws Error

struct BundleRunOptions {
  std::string device;      // "": the first of each job's language
  double max_minutes = 0;  // no job is begun after that; 0: no limit
  std::string only;        // this job alone
  bool leave_fresh =
      true;  // leave jobs that want a process of their own to a process of their own (see `only`)
  judge::JudgeOptions judging;
  std::vector<std::string> pass_on;  // options of hone for fresh processes
  std::function<void(const std::string&)> say = [](const std::string&) {};
};

// How far the results in a file are. A job that was begun so often without an end is dropped, with
// an error as result.
constexpr int most_attempts = 3;
struct BundleState {
  std::vector<std::string> done, open;  // names of jobs
  std::map<std::string, int> begun;     // how often, without an end
  std::size_t screened = 0;             // verdicts that more may follow
};
BundleState bundle_state(const Bundle& bundle, const std::filesystem::path& results);

// Does what is open and appends each result to the file. Throws Error where the environment is
// broken; a job that fails costs only itself.
void run_bundle(const Bundle& bundle, const std::filesystem::path& results,
                const BundleRunOptions& options);

}  // namespace hone::run
