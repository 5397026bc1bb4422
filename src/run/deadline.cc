#include "run/deadline.h"

#include <algorithm>
#include <chrono>

namespace hone::run {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr auto look_again =
    std::chrono::milliseconds(50);  // at the flag of a cancellation, which nothing announces
constexpr double longest = 1e8;     // seconds; more than any run, and no clock overflows

Clock::time_point in(double seconds) {
  return Clock::now() +
         std::chrono::duration_cast<Clock::duration>(Seconds(std::clamp(seconds, 0.0, longest)));
}

}  // namespace

Deadline::Deadline(const std::atomic<bool>& cancelled, std::optional<double> seconds)
    : cancelled_(cancelled), over_(cancelled.load()), thread_([this, seconds] { watch(seconds); }) {
  if (seconds && *seconds <= 0) over_ = out_of_time_ = true;
}

Deadline::~Deadline() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

// A thread of its own, which sets one flag for both reasons: whatever waits looks at one thing
// only.
void Deadline::watch(std::optional<double> seconds) {
  const auto end = in(seconds.value_or(longest));
  std::unique_lock lock(mutex_);
  while (!ending_) {
    if (Clock::now() >= end) out_of_time_ = true;
    if (out_of_time_ || cancelled_) {
      over_ = true;
      changed_.notify_all();
      return;
    }
    changed_.wait_until(lock, std::min(end, Clock::now() + look_again));
  }
}

void Deadline::wait(double seconds) {
  const auto end = in(seconds);
  std::unique_lock lock(mutex_);
  changed_.wait_until(lock, end, [&] { return over_.load(); });
}

}  // namespace hone::run
