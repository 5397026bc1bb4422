#include "mcp/lane.h"

namespace hone::mcp {

Lane::Lane(int threads, std::size_t most_waiting) : most_waiting_(most_waiting) {
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

Lane::~Lane() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    waiting_.clear();
  }
  changed_.notify_all();
  for (auto& thread : threads_) thread.join();
}

bool Lane::add(std::function<void()> job) {
  const std::lock_guard lock(mutex_);
  if (waiting_.size() >= most_waiting_) return false;
  waiting_.push_back(std::move(job));
  changed_.notify_all();
  return true;
}

std::size_t Lane::size() const {
  const std::lock_guard lock(mutex_);
  return at_work_ + waiting_.size();
}

void Lane::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
    if (ending_) return;
    const auto job = std::move(waiting_.front());
    waiting_.pop_front();
    ++at_work_;
    lock.unlock();
    job();
    lock.lock();
    --at_work_;
    changed_.notify_all();
  }
}

}  // namespace hone::mcp
