#include "exec/spool_executor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "base/error.h"
#include "base/fields.h"
#include "exec/slurm_workers.h"
#include "exec/spool_watch.h"
#include "exec/worker_place.h"

namespace hone::exec {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr Seconds shortest_pause{0.002}, longest_pause{0.2};
constexpr double part_of_wait = 1.0 / 32;  // how late a result may be seen, of the time waited
constexpr auto count_again = std::chrono::seconds(1);
constexpr auto look_again = std::chrono::milliseconds(100);  // whether it is cancelled
constexpr auto worker_missed = std::chrono::seconds(10);  // then the user is told how to start one
constexpr double lives_in_time = 10, looks_in_time = 8;   // within the time after which one is lost

class SpoolExecutor : public Executor {
 public:
  explicit SpoolExecutor(SpoolExecutorOptions options)
      : options_(std::move(options)),
        spool_(options_.spool),
        settings_(spool_.open(options_.settings)),
        watch_(spool_, settings_.lost_after) {
    for (const std::string& worker : spool_.lost()) lost_before_.insert(worker);
    show_life_in(spool_.path() / run_life_file);
    if (options_.slurm)
      slurm_ = std::make_unique<SlurmWorkers>(
          spool_, slurm_options(), script(), [this] { return finished_.load(); }, options_.say);
    thread_ = std::thread([this] { work(); });
  }
  ~SpoolExecutor() override {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  void submit(const PackedJob& job) override {
    if (!is_full(spool_.put(job))) return;
    const std::lock_guard lock(mutex_);
    unsent_[job.name] = job.body;
  }

  std::optional<PackedResult> wait_for(const std::string& name,
                                       const std::function<bool()>& cancelled) override {
    std::unique_lock lock(mutex_);
    waited_.insert(name);
    event_ = Clock::now();
    changed_.notify_all();
    while (waited_.contains(name) && !cancelled()) {
      if (const std::string why = broken(); !why.empty())
        base::fail(base::ExitCode::environment, "{}. Once that is put right, `hone resume` goes on",
                   why);
      answered_.wait_for(lock, look_again);
    }
    if (waited_.erase(name) > 0) return std::nullopt;
    lock.unlock();
    return spool_.result(name);
  }

  void discard(const std::string& name) override { spool_.discard_result(name); }
  bool away() const override { return false; }
  std::string describe() const override {
    if (options_.slurm)
      return fmt::format("{} to {} workers in Slurm's partition {}, by {}", options_.slurm->min,
                         options_.slurm->max, options_.slurm->partition, spool_.path().string());
    return fmt::format("workers of {}", spool_.path().string());
  }
  std::optional<WorkerCounts> workers() const override {
    const std::lock_guard lock(mutex_);
    return counts_;
  }

 private:
  SlurmOptions slurm_options() const {
    SlurmOptions options = *options_.slurm;
    options.lost_after = settings_.lost_after;  // of the spool that is there
    return options;
  }

  // Replaces the shell, so that Slurm's signals reach the worker itself.
  std::string script() const {
    const auto& slurm = *options_.slurm;
    std::string line = "exec " + shell_quoted(slurm.hone) + " worker --of-run";
    for (const std::string& word : options_.pass_on) line += " " + shell_quoted(word);
    if (!slurm.device.empty()) line += " --device " + shell_quoted(slurm.device);
    return "#!/bin/sh\n" + line + " -- " + shell_quoted(spool_.path().string()) + "\n";
  }

  std::string broken() const {  // holds the mutex
    return broken_.empty() && slurm_ ? slurm_->broken() : broken_;
  }

  void work() {
    std::unique_lock lock(mutex_);
    while (!ending_) {
      const auto names = waited_;
      lock.unlock();
      std::set<std::string> back;
      std::string broken;
      try {
        back = look(names);
      } catch (const base::Error& error) {
        broken = error.what();
      }
      lock.lock();
      if (broken_.empty()) broken_ = broken;
      for (const std::string& name : back) waited_.erase(name);
      if (!back.empty()) {
        finished_ += back.size();
        event_ = Clock::now();
      }
      if (!back.empty() || !broken_.empty()) answered_.notify_all();
      const auto pause = std::clamp<Seconds>(part_of_wait * (Clock::now() - event_), shortest_pause,
                                             longest_pause);
      if (!ending_) changed_.wait_for(lock, pause);
    }
  }

  // One round; those of the names that have a result.
  std::set<std::string> look(const std::set<std::string>& names) {
    const auto now = Clock::now();
    const auto due = [&](Clock::time_point& last, Seconds every) {
      if (last != Clock::time_point{} && now - last < every) return false;
      last = now;
      return true;
    };
    std::set<std::string> back;
    for (const std::string& name : names)
      if (spool_.has_result(name)) back.insert(name);
    if (due(lived_, Seconds(settings_.lost_after / lives_in_time)))
      show_life_in(spool_.path() / run_life_file);
    if (due(looked_, Seconds(settings_.lost_after / looks_in_time))) watch_.look(now);
    if (due(counted_, count_again)) {
      send_what_is_left();
      count();
    }
    return back;
  }

  void send_what_is_left() {
    std::map<std::string, std::string> unsent;
    {
      const std::lock_guard lock(mutex_);
      unsent = unsent_;
    }
    for (const auto& [name, body] : unsent) {
      if (is_full(spool_.put({name, body}))) return;
      const std::lock_guard lock(mutex_);
      unsent_.erase(name);
    }
  }

  void count() {
    WorkerCounts counts;
    bool full = false;
    for (const std::string& worker : spool_.workers()) {
      full = full || progress_in(spool_.path() / "workers" / worker).waits_for_space;
      ++counts.running;
      counts.jobs_running += static_cast<int>(spool_.claims_of(worker).size());
    }
    for (const std::string& worker : spool_.lost())
      if (!lost_before_.contains(worker) && lost_.insert(worker).second)
        options_.say(
            fmt::format("worker {} was lost: it showed no life for {:g} s; its job is another's",
                        worker.substr(0, worker.rfind('.')), settings_.lost_after));
    counts.lost = static_cast<int>(lost_.size());
    counts.jobs_waiting = static_cast<int>(spool_.waiting().size());
    {
      const std::lock_guard lock(mutex_);
      counts.jobs_waiting += static_cast<int>(unsent_.size());
      full = full || !unsent_.empty();
    }
    if (counts.running > 0) worker_seen_ = Clock::now();
    if (!slurm_ && counts.jobs_waiting > 0 && Clock::now() - worker_seen_ > worker_missed)
      counts.trouble =
          fmt::format("no worker is there; on machines with the device: hone worker {}",
                      spool_.path().string());
    if (slurm_) counts.queued = slurm_->queued(), counts.trouble = slurm_->trouble();
    if (full)
      counts.trouble = fmt::format("{}: the disk is full, and what is to be written waits",
                                   spool_.path().string());
    const std::lock_guard lock(mutex_);
    counts_ = counts;
  }

  const SpoolExecutorOptions options_;
  Spool spool_;
  const SpoolSettings settings_;
  SpoolWatch watch_;  // the thread's own, with the times of its work
  Clock::time_point lived_{}, looked_{}, counted_{};
  Clock::time_point worker_seen_ = Clock::now();
  std::set<std::string> lost_before_, lost_;
  std::atomic<std::uint64_t> finished_{0};
  mutable std::mutex mutex_;
  std::condition_variable changed_, answered_;
  std::set<std::string> waited_;
  std::map<std::string, std::string> unsent_;  // for which there was no space
  Clock::time_point event_ = Clock::now();     // when there was last something new
  std::optional<WorkerCounts> counts_;
  std::string broken_;
  bool ending_ = false;
  std::unique_ptr<SlurmWorkers> slurm_;
  std::thread thread_;  // ends before what it uses
};

}  // namespace

void describe(base::Fields& f, WorkerCounts& workers) {
  f("queued", workers.queued)("running", workers.running)("lost", workers.lost);
  f("jobs_waiting", workers.jobs_waiting)("jobs_running", workers.jobs_running);
  f.optional("trouble", workers.trouble);
}

std::unique_ptr<Executor> spool_executor(SpoolExecutorOptions options) {
  return std::make_unique<SpoolExecutor>(std::move(options));
}

}  // namespace hone::exec
