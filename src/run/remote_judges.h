#pragma once
// Jobs of a run that are done on another machine: an executor moves them as texts. What the
// compiler here refuses in the other one's stead is answered at once and does not travel.
#include <list>
#include <memory>
#include <mutex>
#include <thread>

#include "exec/executor.h"
#include "run/judges.h"

namespace hone::run {

using PackJob = std::function<std::string(const Job&)>;  // the text that travels

class RemoteJudges : public Judges {
 public:
  RemoteJudges(
      const core::Task& task, const core::DeviceInfo& info,
      std::unique_ptr<exec::Executor> executor, JobCallback done,
      const std::atomic<bool>& cancelled,
      PackJob pack = [](const Job& job) { return to_text(job); });
  ~RemoteJudges() override;
  void submit(Job job) override;
  bool profiles() const override { return true; }
  bool away() const override { return executor_->away(); }
  bool certifies() const override { return true; }
  std::string describe() const override { return executor_->describe() + " for " + info_.name; }
  std::optional<exec::WorkerCounts> workers() const override { return executor_->workers(); }

 private:
  struct Waiting {
    std::thread thread;
    std::atomic<bool> ended{false};
  };
  void forget_those_that_ended();
  JobDone work(const Job& job) const;
  bool is_back(const std::string& job) const;
  std::optional<core::Evaluation> refused_here(const Job& job) const;

  core::Task task_;
  core::DeviceInfo info_;
  std::unique_ptr<exec::Executor> executor_;
  JobCallback done_;
  const std::atomic<bool>& cancelled_;
  PackJob pack_;
  std::mutex telling_;          // callbacks come one at a time
  std::list<Waiting> waiting_;  // a thread for each job in flight
};

}  // namespace hone::run
