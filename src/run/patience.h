#pragma once
// How long a run waits: until somebody wants to leave, or until its minutes are up. A flag that rises by itself, so
// that whoever waits for a model, a mailbox or a pause needs to look at nothing else. Owns the thread that raises it.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

namespace hone::run {

class Patience {
 public:
  // `seconds`: from now on; nothing: any time. `leave` must live longer.
  Patience(const std::atomic<bool>& leave, std::optional<double> seconds);
  ~Patience();
  Patience(const Patience&) = delete;
  Patience& operator=(const Patience&) = delete;

  const std::atomic<bool>& over() const { return over_; }
  bool out_of_time() const { return out_of_time_; }
  bool leaving() const { return leave_; }
  void wait(double seconds);  // or until it is over

 private:
  void watch(std::optional<double> seconds);

  const std::atomic<bool>& leave_;
  std::atomic<bool> over_{false}, out_of_time_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ending_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace hone::run
