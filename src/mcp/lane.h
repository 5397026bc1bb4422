#pragma once
// A few threads that do jobs in the order in which they came, and a bound on how many wait. Calls
// that take a moment have one lane, calls that judge another, so that no short one waits for a long
// one. Owned by the server; add() from any thread.
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace hone::mcp {

class Lane {
 public:
  Lane(int threads, std::size_t most_waiting);
  ~Lane();  // after the jobs at work; those that wait are dropped
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  bool add(std::function<void()> job);  // false: too many wait
  std::size_t size() const;             // at work or waiting

 private:
  void work();

  const std::size_t most_waiting_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  std::size_t at_work_ = 0;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace hone::mcp
