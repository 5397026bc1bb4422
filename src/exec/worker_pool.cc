#include "exec/worker_pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hone::exec {
namespace {

using Seconds = std::chrono::duration<double>;

constexpr double time_to_start = 120;  // seconds from Slurm's start of a task to its sign of life
constexpr int failures_beside_max = 2;
constexpr int most_doublings = 5;  // of the pause between submissions that brought nothing

}  // namespace

// The first submission has no pause; after others that brought nothing it grows.
Seconds WorkerPool::pause() const {
  if (submissions_ == 0) return Seconds(0);
  return Seconds(std::ldexp(options_.poll_seconds, std::min(submissions_ - 1, most_doublings)));
}

void WorkerPool::take_ends(const PoolView& view, PoolPlan& plan) {
  if (view.finished_jobs > finished_jobs_) {
    finished_jobs_ = view.finished_jobs;
    failures_ = submissions_ = 0;
  }
  for (const auto& [worker, why] : view.failures)
    if (failures_seen_.insert(worker).second) {
      ++failures_;
      last_failure_ = fmt::format("{}: {}", worker, why);
    }
  std::erase_if(tasks_, [&](const auto& known) {
    const std::string& id = known.first;
    const Task& task = known.second;
    const bool there = std::any_of(view.tasks.begin(), view.tasks.end(),
                                   [&](const SlurmTask& one) { return one.id == id; });
    if (!there && !task.cancelled && !task.showed_life && task.runs_since) {
      ++failures_;
      plan.gone.push_back(id);
    }
    return !there;
  });
}

void WorkerPool::take_task(const SlurmTask& seen, const PoolView& view, Clock::time_point now,
                           PoolPlan& plan) {
  Task& task = tasks_[seen.id];
  if (task.cancelled) return;
  if (seen.waits()) ++plan.queued;
  if (!seen.runs()) return;
  if (!task.runs_since) task.runs_since = now;
  const auto claims = view.claims.find(seen.id);
  if (claims != view.claims.end()) {
    task.showed_life = true;
    if (claims->second > 0)
      task.idle_since.reset();
    else if (!task.idle_since)
      task.idle_since = now;
    ++plan.running;
  } else if (task.showed_life ||
             now - *task.runs_since > Seconds(std::max(time_to_start, options_.lost_after))) {
    plan.cancel.push_back(seen.id);  // it was lost, or never came up
    if (!task.showed_life) ++failures_, plan.gone.push_back(seen.id);
  } else {
    ++plan.running;  // it starts
  }
}

PoolPlan WorkerPool::next(const PoolView& view, Clock::time_point now) {
  PoolPlan plan;
  take_ends(view, plan);
  for (const SlurmTask& task : view.tasks) take_task(task, view, now, plan);
  const int limit = options_.max + failures_beside_max;
  if (failures_ >= limit) {
    plan.broken = fmt::format("{} workers in turn ended without having finished a job", failures_);
    if (!last_failure_.empty()) plan.broken += fmt::format("; the last of them: {}", last_failure_);
    return plan;
  }
  const int open = static_cast<int>(std::min<std::size_t>(view.open_jobs, 1'000'000));
  const int wanted = std::clamp(open, options_.min, options_.max);
  const int have = plan.queued + plan.running;
  if (have < wanted && (!last_submission_ || now - *last_submission_ >= pause()))
    plan.submit = wanted - have;
  if (have <= wanted)
    surplus_since_.reset();
  else
    shrink(view, have - wanted, now, plan);
  if (have > wanted && !surplus_since_) surplus_since_ = now;
  return plan;
}

// Those that only wait go first, then those that have had nothing to do.
void WorkerPool::shrink(const PoolView& view, int surplus, Clock::time_point now,
                        PoolPlan& plan) const {
  const Seconds idle(options_.idle_seconds);
  const auto add = [&](const std::string& id) {
    plan.cancel.push_back(id);
    --surplus;
  };
  for (const SlurmTask& seen : view.tasks)
    if (surplus > 0 && seen.waits() && !tasks_.at(seen.id).cancelled && surplus_since_ &&
        now - *surplus_since_ >= idle)
      add(seen.id);
  for (const SlurmTask& seen : view.tasks) {
    const Task& task = tasks_.at(seen.id);
    if (surplus > 0 && seen.runs() && !task.cancelled && task.idle_since &&
        now - *task.idle_since >= idle)
      add(seen.id);
  }
}

void WorkerPool::submitted(Clock::time_point now) {
  last_submission_ = now;
  ++submissions_;
}

void WorkerPool::cancelled(const std::vector<std::string>& tasks) {
  for (const std::string& id : tasks) tasks_[id].cancelled = true;
}

}  // namespace hone::exec
