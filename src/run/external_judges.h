#pragma once
// Jobs of a run on an external task: an evaluator that is not ours tells times and nothing else
// (docs/models.md). There are no probes, profiles, comparisons or certificates.
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "exec/external_executor.h"
#include "run/judges.h"

namespace hone::run {

class ExternalJudges : public Judges {
 public:
  // Throws Error where the task is not external.
  ExternalJudges(const core::Task& task, const std::string& command, JobCallback done,
                 std::function<bool()> cancelled);
  ~ExternalJudges() override;
  void submit(Job job) override;
  bool profiles() const override { return false; }
  bool away() const override { return false; }
  bool certifies() const override { return false; }
  std::string describe() const override { return executor_->describe(); }

 private:
  JobDone work(const Job& job) const;

  core::Task task_;
  core::DeviceInfo info_;
  std::unique_ptr<exec::Executor> executor_;
  JobCallback done_;
  std::function<bool()> cancelled_;
  std::mutex telling_;  // callbacks come one at a time
  std::vector<std::thread> threads_;
};

core::DeviceInfo external_device(const std::string& command);  // only names
core::Evaluation external_evaluation(const core::Task& task, const core::Candidate& candidate,
                                     const core::DeviceInfo& info,
                                     const exec::ExternalAnswer& answer);

}  // namespace hone::run
