#pragma once
// How many problems of a list still fit into the time given, judged by those before them. A list is
// stopped before a group that would not be done in time, because what is prepared and not timed is
// lost. Plain values, one thread.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>
#include <numeric>
#include <vector>

namespace hone::tables {

class Deadline {
 public:
  explicit Deadline(double seconds) : end_(Clock::now() + std::chrono::duration<double>(seconds)) {}
  double left() const {
    return std::chrono::duration<double>(end_ - Clock::now()).count();
  }  // negative once it is over

 private:
  using Clock = std::chrono::steady_clock;
  std::chrono::time_point<Clock, std::chrono::duration<double>> end_;
};

struct Pace {
  std::vector<double> timings;  // seconds that timing each of the problems took
  double slowest_preparation = 0;

  double longest_timing() const {
    return timings.empty() ? 0 : *std::max_element(timings.begin(), timings.end());
  }

  // How many more can be prepared and timed in `left` seconds. While nothing is known, any number.
  std::size_t fitting(double left) const {
    if (left <= 0) return 0;
    if (timings.empty()) return std::numeric_limits<std::size_t>::max();
    const double each =
        std::accumulate(timings.begin(), timings.end(), 0.0) / static_cast<double>(timings.size());
    const double spare = left - slowest_preparation - longest_timing();
    return spare < 0 ? 0 : 1 + static_cast<std::size_t>(spare / each);
  }
};

}  // namespace hone::tables
