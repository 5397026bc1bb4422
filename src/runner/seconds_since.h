#pragma once
// Seconds that have passed, by the monotonic clock. Pure but for the clock; any thread.
#include <chrono>

namespace hone::runner {

using Clock = std::chrono::steady_clock;
inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace hone::runner
