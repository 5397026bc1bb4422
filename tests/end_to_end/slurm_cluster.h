#pragma once
// A Slurm cluster of two nodes on this machine, for as long as the object lives: the distribution's
// slurmctld and slurmd on loopback, without munge, systemd or cgroups. Each node is a pid namespace
// of its own, so that killing its first process kills the node with all that runs on it.
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "hone_binary.h"

namespace hone::end_to_end {

class SlurmCluster {
 public:
  SlurmCluster();
  ~SlurmCluster();
  SlurmCluster(const SlurmCluster&) = delete;
  SlurmCluster& operator=(const SlurmCluster&) = delete;

  // Why there is none: a package that is missing, or rights; "": it is there.
  const std::string& missing() const { return missing_; }
  void start_node(const std::string& name);
  void kill_node(const std::string& name);
  bool wait_for_nodes(std::size_t idle) const;
  std::string squeue(const std::string& format) const;  // of all jobs, a line for each task
  Finished run(const std::vector<std::string>& words) const;
  std::string logs() const;  // for messages of tests that fail

 private:
  void write_configuration() const;
  int start(const std::vector<std::string>& words, const std::string& log) const;
  std::filesystem::path folder() const { return place_.folder(); }

  Hone place_;
  std::string missing_;
  int controller_ = -1;
  std::map<std::string, int> nodes_;  // the process that keeps each one's namespace
};

}  // namespace hone::end_to_end
