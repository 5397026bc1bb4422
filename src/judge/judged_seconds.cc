#include "judge/judged_seconds.h"

#include <algorithm>

namespace hone::judge {
namespace {

// What is taken off a measured time was itself measured, and is believed up to these ceilings only:
// beyond them the time is longer, and nothing is hidden. On an H200 a request costs 0.1 to 0.2 ms
// and the first look 0.16 ms.
constexpr double most_request = 1e-3, most_settle = 1e-3;
// A result is written by the candidate, then read and written by the copy: two thirds of that are
// the copy's, at most.
constexpr double most_copy_part = 0.75;

}  // namespace

double early_seconds(const PythonCost& cost, const CallResult& called, std::size_t calls) {
  constexpr double noise = 3, resolution = 2e-3;
  if (cost.prepare <= 0) return 0;
  // Preparing maps the memory of these calls and unmaps that of the request before. An idle worker
  // does both for one.
  const auto sets = static_cast<double>(calls + called.sets_before);
  return std::max(0.0, called.prepared - (noise * cost.prepare * sets + resolution));
}

double late_seconds(const PythonCost& cost, const CallResult& called) {
  constexpr double noise = 1.5, resolution = 2e-5;
  return cost.settle > 0
             ? std::max(0.0,
                        called.settled - (std::min(noise * cost.settle, most_settle) + resolution))
             : 0;
}

double judged_seconds(const PythonCost& cost, const CallResult& called, std::size_t calls) {
  const double seconds = called.timed.judge_seconds + late_seconds(cost, called) +
                         early_seconds(cost, called, calls) - std::min(cost.request, most_request);
  const double each = seconds / static_cast<double>(calls);
  const double without_copy = each - std::min(cost.copy, most_copy_part * each);
  return std::max({shortest_seconds, without_copy, std::min(each, cost.floor)});
}

}  // namespace hone::judge
