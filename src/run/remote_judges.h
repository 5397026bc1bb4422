#pragma once
// Jobs of a run that are done on another machine: an executor moves them as texts. What the
// compiler here refuses in the other one's stead is answered at once and does not travel.
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "exec/executor.h"
#include "run/judges.h"

namespace hone::run {

class RemoteJudges : public Judges {
 public:
  RemoteJudges(const core::Task& task, const core::DeviceInfo& info,
               std::unique_ptr<exec::Executor> executor, JobCallback done,
               const std::atomic<bool>& cancelled);
  ~RemoteJudges() override;
  void submit(Job job) override;
  bool profiles() const override { return true; }
  bool away() const override { return executor_->away(); }
  bool certifies() const override { return true; }
  std::string describe() const override { return executor_->describe() + " for " + info_.name; }

 private:
  JobDone work(const Job& job) const;
  bool is_back(const std::string& job) const;
  std::optional<core::Evaluation> refused_here(const Job& job) const;

  core::Task task_;
  core::DeviceInfo info_;
  std::unique_ptr<exec::Executor> executor_;
  JobCallback done_;
  const std::atomic<bool>& cancelled_;
  std::mutex telling_;  // callbacks come one at a time
  std::vector<std::thread> threads_;
};

}  // namespace hone::run
