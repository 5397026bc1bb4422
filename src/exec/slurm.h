#pragma once
// Slurm's commands as functions: sbatch, squeue and scancel, each with a time limit, and what they
// say when they fail in their own words. Nothing about a cluster is kept: the workers of a spool
// are found by the name of their jobs, so a process that was killed loses none. Any thread.
#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace hone::exec {

// --executor slurm:PARTITION[,KEY=VALUE...]
struct SlurmOptions {
  std::string partition;
  std::filesystem::path spool;  // a folder that all nodes see; "": in the home folder
  int min = 1, max = 4;         // workers
  double idle_seconds = 60;     // so long a worker above what is needed may have nothing to do
  double poll_seconds = 5;      // between two questions to squeue
  double lost_after = 60;
  std::string device;               // of the worker: cuda:0; "": the first of each job's language
  std::string hone;                 // the program on the nodes; "": this one's path
  std::vector<std::string> sbatch;  // passed on: "--gres=gpu:1"
};
// The failure is a sentence. `text`: what stands behind "slurm:".
base::Result<SlurmOptions> slurm_options_from(const std::string& text);

struct SlurmTask {
  std::string id;     // of an array: "12_3"
  std::string state;  // as squeue has it in short: R, PD, CG, ...
  bool runs() const { return state == "R"; }
  bool waits() const { return state == "PD" || state == "CF" || state == "RQ" || state == "RH"; }
};
std::vector<SlurmTask> tasks_from(const std::string& squeue_output);

class Slurm {
 public:
  // `job_name`: that of all jobs of one spool.
  Slurm(std::string job_name, const std::atomic<bool>& cancelled)
      : job_name_(std::move(job_name)), cancelled_(cancelled) {}

  // An array of so many tasks, each of which becomes this script. Its id, or why there is none.
  base::Result<std::string> submit(const SlurmOptions& options, const std::filesystem::path& logs,
                                   const std::string& script, int tasks) const;
  base::Result<std::vector<SlurmTask>> tasks() const;
  base::Result<bool> cancel(const std::vector<std::string>& tasks) const;
  base::Result<bool> cancel_all() const;

 private:
  std::string job_name_;
  const std::atomic<bool>& cancelled_;
};

std::string shell_quoted(const std::string& word);

}  // namespace hone::exec
