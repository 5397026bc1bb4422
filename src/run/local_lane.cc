// Our own judge on one device: see run/judge_queue.h.
#include <optional>

#include "base/error.h"
#include "judge/lease.h"
#include "run/judge_queue.h"

namespace hone::run {
namespace {

class LocalLane : public Lane {
 public:
  LocalLane(const core::Task& task, const core::DeviceInfo& info, LocalJudgeOptions options)
      : task_(task), info_(info), options_(std::move(options)) {}

  JobResult work(const Job& job, const base::Fd* ahead,
                 const std::function<bool()>& wanted) override {
    if (job.fresh) {
      judge_.reset();  // gives its memory back, which the fresh process may need
      return execute_afresh(job, info_, options_.judging, options_.tools);
    }
    try {
      if (options_.lease_seconds) require_lease();
      if (!judge_) judge_.emplace(task_, info_, options_.judging);
    } catch (const base::Error& error) {
      JobResult result;
      result.name = job.name;
      result.device = info_;
      result.error = error.what();
      return result;
    }
    JobTools tools = options_.tools;
    tools.wanted = wanted;
    JobResult result = execute(job, *judge_, tools, ahead);
    if (!result.error.empty()) judge_.reset();  // the next job begins with another one
    return result;
  }

  std::optional<base::Fd> build(const Job& job) override {
    return judge::build_now(task_, *job.candidate, job.point, info_,
                            options_.judging.build_seconds);
  }

  const core::DeviceInfo& device() const override { return info_; }

 private:
  // Takes the device's lease and gives it back: the job takes it again when it needs it. Throws
  // Error where another process holds it for longer.
  void require_lease() const {
    const auto wait = std::chrono::duration_cast<judge::Clock::duration>(
        std::chrono::duration<double>(*options_.lease_seconds));
    const judge::Lease lease(info_, options_.judging.progress, judge::Clock::now() + wait);
  }

  core::Task task_;
  core::DeviceInfo info_;
  LocalJudgeOptions options_;
  std::optional<judge::Judge> judge_;  // made by the first job
};

}  // namespace

std::unique_ptr<Lane> local_lane(const core::Task& task, const core::DeviceInfo& info,
                                 LocalJudgeOptions options) {
  return std::make_unique<LocalLane>(task, info, std::move(options));
}

}  // namespace hone::run
