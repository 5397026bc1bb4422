#pragma once
// Our own judge as a run uses it: a queue of jobs for the devices of this machine. Builds run ahead
// on other cores, so that a device never waits for a compiler while a built candidate is there.
// Each device has a lane: a thread with a judge of its own. Where there are several lanes, the
// first accepted candidate of the first lane is the reference kernel: the others are opened once
// they time it alike, so that times of all of them can be ranked together. A lane whose device
// fails is closed with a message, and its job goes to another.
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "run/judges.h"

namespace hone::run {

// What does jobs on one device. Used by one thread of the queue.
class Lane {
 public:
  virtual ~Lane() = default;
  // A result with an `error` where the device or its environment failed.
  // `wanted`: another job waits for the device.
  virtual JobResult work(const Job& job, const base::Fd* ahead,
                         const std::function<bool()>& wanted) = 0;
  // What can be built of the job before its turn. Any thread, at the same time as work().
  virtual std::optional<base::Fd> build(const Job& job) = 0;
  virtual const core::DeviceInfo& device() const = 0;
};

struct LocalJudgeOptions {
  judge::JudgeOptions judging;
  JobTools tools;
  // How long the device may be another process's before it counts as failed; nothing: for as long
  // as it takes.
  std::optional<double> lease_seconds;
};
std::unique_ptr<Lane> local_lane(const core::Task& task, const core::DeviceInfo& info,
                                 LocalJudgeOptions options);

// How far a device's time for the reference kernel may be from the first device's.
double calibration_tolerance(core::ClockKind clock);

class JudgeQueue : public Judges {
 public:
  // `done`, `say`: from the lanes' threads, one at a time. `cancelled` must live longer: jobs that
  // have not begun then are given back.
  JudgeQueue(std::vector<std::unique_ptr<Lane>> lanes, JobCallback done,
             std::function<void(const std::string&)> say, const std::atomic<bool>& cancelled,
             std::size_t builders);
  ~JudgeQueue() override;
  void submit(Job job) override;
  bool profiles() const override { return true; }
  bool away() const override { return false; }
  bool certifies() const override { return true; }
  std::string describe() const override;
  double busy_seconds() const override;

 private:
  struct Entry;
  struct Line;
  void build();
  void work(Line& line);
  void calibrate(Line& line, std::unique_lock<std::mutex>& lock);
  std::shared_ptr<Entry> next_for(const Line& line) const;
  bool is_wanted(const Line& line) const;
  void finish(Line& line, const std::shared_ptr<Entry>& entry, JobResult result,
              std::unique_lock<std::mutex>& lock);
  void failed(Line& line, const std::shared_ptr<Entry>& entry, JobResult result,
              std::unique_lock<std::mutex>& lock);
  void replace_first(Line& line, const std::string& why, std::unique_lock<std::mutex>& lock);
  void close(Line& line, const std::string& why, std::unique_lock<std::mutex>& lock);
  void report(JobDone done, std::unique_lock<std::mutex>& lock);

  JobCallback done_;
  std::function<void(const std::string&)> say_;
  const std::atomic<bool>& cancelled_;
  mutable std::mutex mutex_;
  std::mutex telling_;  // callbacks come one at a time
  std::condition_variable changed_;
  std::deque<std::shared_ptr<Entry>>
      entries_;  // that wait or are worked on, in the order of submission
  std::optional<Job> reference_;
  double reference_seconds_ = 0;
  std::string reference_device_;
  bool ending_ = false;
  std::vector<std::unique_ptr<Line>> lines_;
  std::vector<std::thread> threads_;  // last: they use the others
};

}  // namespace hone::run
