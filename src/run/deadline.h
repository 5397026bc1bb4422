#pragma once
// When a run stops waiting: when it is cancelled, or when its minutes are up. One flag stands for
// both, so that code that waits for a model, a mailbox or a pause looks at nothing else. Owns the
// thread that sets it.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

namespace hone::run {

class Deadline {
 public:
  // `seconds`: from now on; nothing: no limit. `cancelled` must live longer.
  Deadline(const std::atomic<bool>& cancelled, std::optional<double> seconds);
  ~Deadline();
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

  const std::atomic<bool>& over() const { return over_; }
  bool out_of_time() const { return out_of_time_; }
  bool cancelled() const { return cancelled_; }
  void wait(double seconds);  // or until it is over

 private:
  void watch(std::optional<double> seconds);

  const std::atomic<bool>& cancelled_;
  std::atomic<bool> over_{false}, out_of_time_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ending_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace hone::run
