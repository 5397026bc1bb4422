#pragma once
// How many workers a run has in a batch system, and what to do about it: more where jobs wait,
// fewer where workers have had nothing to do, others for those that ended, were preempted or lost.
// Decides from what is seen of the batch system and the spool, with the time it is given; whatever
// is decided is seen again in the next round, so nothing has to be kept over the end of a process.
// One thread.
#include <chrono>
#include <map>
#include <set>

#include "exec/slurm.h"

namespace hone::exec {

// What is seen of the workers in one round.
struct PoolView {
  std::vector<SlurmTask> tasks;
  std::map<std::string, std::size_t> claims;    // by task: of workers that show life
  std::size_t open_jobs = 0;                    // that wait or are worked on
  std::uint64_t finished_jobs = 0;              // so far
  std::map<std::string, std::string> failures;  // by worker: why it ended by itself; all so far
};

struct PoolPlan {
  int submit = 0;
  std::vector<std::string> cancel;  // tasks
  std::vector<std::string> gone;    // tasks that ended by themselves, before they showed life
  std::string broken;               // why there will be no workers; "": there may be
  int queued = 0, running = 0;      // workers
};

class WorkerPool {
 public:
  using Clock = std::chrono::steady_clock;
  explicit WorkerPool(const SlurmOptions& options) : options_(options) {}

  PoolPlan next(const PoolView& view, Clock::time_point now);
  void submitted(Clock::time_point now);  // what the last plan asked for
  void cancelled(const std::vector<std::string>& tasks);

 private:
  struct Task {
    std::optional<Clock::time_point> runs_since, idle_since;
    bool showed_life = false, cancelled = false;
  };
  void take_ends(const PoolView& view, PoolPlan& plan);
  void take_task(const SlurmTask& task, const PoolView& view, Clock::time_point now,
                 PoolPlan& plan);
  void shrink(const PoolView& view, int surplus, Clock::time_point now, PoolPlan& plan) const;
  std::chrono::duration<double> pause() const;

  SlurmOptions options_;
  std::map<std::string, Task> tasks_;
  std::uint64_t finished_jobs_ = 0;
  std::set<std::string> failures_seen_;
  int failures_ = 0, submissions_ = 0;  // since a job was finished
  std::optional<Clock::time_point> last_submission_, surplus_since_;
  std::string last_failure_;
};

}  // namespace hone::exec
