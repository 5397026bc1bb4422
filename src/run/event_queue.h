#pragma once
// What threads of a run have to say, as calls on the driver's thread: a run changes its state there
// and nowhere else.
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>

namespace hone::run {

class EventQueue {
 public:
  void post(std::function<void()> event) {  // any thread
    const std::lock_guard lock(mutex_);
    events_.push_back(std::move(event));
    changed_.notify_all();
  }
  // Runs the events that are there; where there is none, waits for one, but no longer than
  // `longest`.
  void run(std::chrono::milliseconds longest) {
    std::deque<std::function<void()>> ready;
    {
      std::unique_lock lock(mutex_);
      changed_.wait_for(lock, longest, [&] { return !events_.empty(); });
      ready.swap(events_);
    }
    for (auto& event : ready) event();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> events_;
};

}  // namespace hone::run
