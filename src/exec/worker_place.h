#pragma once
// One worker's folder in a spool: its sign of life, its claims, and how a result leaves it. The
// process that watches over the worker enters, shows life and leaves; the one that does the work
// claims and publishes; the two never need each other's turn.
#include <cstdint>

#include "exec/spool.h"

namespace hone::exec {

// A job that was begun so often without an end gets an error as its result.
constexpr int most_spool_attempts = 5;

// How far a worker is, for people.
struct WorkerProgress {
  std::uint64_t done = 0;        // jobs
  bool waits_for_space = false;  // the disk is full, and a result cannot be written
};

class WorkerPlace {
 public:
  // `worker`: a name that no other worker ever has; new_worker_name() makes one.
  WorkerPlace(Spool spool, std::string worker);
  const std::string& worker() const { return worker_; }
  const Spool& spool() const { return spool_; }

  // ---- the process that watches
  void enter() const;      // makes the folder; it may be made again once it was found lost
  void show_life() const;  // writes in place: a full disk is no reason to be taken for dead
  WorkerProgress progress() const;
  // Gives back what it holds, and takes the folder away. `failure`: why it ends by itself; "": it
  // was told to.
  void leave(const std::string& failure) const;
  // What the killed process that did the work held, which counts as an attempt.
  void give_back_all() const;

  // ---- the process that works
  // Some of those that have waited longest, in an order of its own: many workers that all tried the
  // same one would be in each other's way.
  std::vector<SpoolJob> choices() const;
  bool claim(const SpoolJob& job) const;  // false: another one has it
  base::Result<std::string> text_of(const SpoolJob& job) const;
  // The result and then the end of the claim. The first result of a job stays. The error: there is
  // no space; nothing is lost by trying again. Throws Error where the spool cannot be written.
  std::error_code publish(const SpoolJob& job, const std::string& result) const;
  // Back to those that wait, or away where the job has its result. `counts`: as an attempt.
  void give_back(const SpoolJob& job, bool counts) const;
  void note(const WorkerProgress& progress) const;

 private:
  std::filesystem::path claim_path(const SpoolJob& job) const;
  void drop(const SpoolJob& job) const;

  Spool spool_;
  std::string worker_;
  std::filesystem::path folder_;
};

// Of this machine and process, and of the Slurm task that it is, if it is one: "12_3-NODE-...".
std::string new_worker_name();
// The Slurm task in a worker's name; "": it is none.
std::string slurm_task_of(const std::string& worker);

WorkerProgress progress_in(const std::filesystem::path& worker_folder);

// What a sign of life says now; it is another text after each show_life().
std::string sign_of_life(const std::filesystem::path& worker_folder);
// A sign of life in a file of its own: for the run that workers are started for.
void show_life_in(const std::filesystem::path& file);

// The way back of a claim, for those that found its worker lost too.
void give_back_claim(const Spool& spool, const std::filesystem::path& from, const SpoolJob& job,
                     bool counts);

}  // namespace hone::exec
