#pragma once
// The judge's own watch, in seconds. Monotonic: setting the machine's clock changes no verdict.
#include <chrono>

namespace hone::judge {

using Clock = std::chrono::steady_clock;
inline double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace hone::judge
