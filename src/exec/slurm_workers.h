#pragma once
// The workers of one run in Slurm: a thread that asks squeue, submits arrays with sbatch and
// cancels with scancel as a WorkerPool decides. When the object ends, what is left of them is
// cancelled.
#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "exec/slurm.h"
#include "exec/spool.h"
#include "exec/worker_pool.h"

namespace hone::exec {

class SlurmWorkers {
 public:
  // `script`: what each task is. `finished`: how many jobs have come back, from any thread. `say`:
  // a sentence that lasts; from the own thread.
  SlurmWorkers(Spool spool, SlurmOptions options, std::string script,
               std::function<std::uint64_t()> finished,
               std::function<void(const std::string&)> say);
  ~SlurmWorkers();
  SlurmWorkers(const SlurmWorkers&) = delete;
  SlurmWorkers& operator=(const SlurmWorkers&) = delete;

  int queued() const { return queued_; }
  std::string trouble() const;  // what does not answer at this moment, in its words
  std::string broken() const;   // why there will be no workers; "": there may be

 private:
  using Clock = std::chrono::steady_clock;
  void work();
  void round();
  PoolView view_of(std::vector<SlurmTask> tasks) const;
  void submit(const PoolPlan& plan);
  void have_trouble(const std::string& words, bool has_workers);
  std::string last_words_of(const std::string& task) const;

  Spool spool_;
  const SlurmOptions options_;
  const std::string script_;
  std::function<std::uint64_t()> finished_;
  std::function<void(const std::string&)> say_;
  std::atomic<bool> ending_{false};
  Slurm slurm_;
  WorkerPool pool_;
  std::atomic<int> queued_{0};
  bool ever_submitted_ = false;
  std::set<std::string> failed_before_;  // workers of an earlier process of this run
  std::optional<Clock::time_point> trouble_since_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::string trouble_, broken_;
  std::thread thread_;  // last: it uses the others
};

}  // namespace hone::exec
