#pragma once
// Splits a range over the machine's cores for memory-bound loops in the judge's process. Threads
// live only for the call.
#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

namespace hone::device {

// More threads than this gain nothing on memory-bound loops.
constexpr unsigned most_host_threads = 16;

inline unsigned host_thread_count() {
  return std::clamp(std::thread::hardware_concurrency(), 1u, most_host_threads);
}

// Calls work(begin, end) over pieces of [0, count) that start at multiples of grain. Less than one
// grain a thread stays on this one.
template <typename Work>
void over_threads(std::uint64_t count, std::uint64_t grain, const Work& work) {
  const std::uint64_t grains = (count + grain - 1) / grain;
  const std::uint64_t threads = std::min<std::uint64_t>(host_thread_count(), grains);
  if (threads <= 1) {
    if (count > 0) work(std::uint64_t{0}, count);
    return;
  }
  std::vector<std::jthread> others;
  const auto cut = [&](std::uint64_t index) {
    return std::min(count, grains * index / threads * grain);
  };
  for (std::uint64_t index = 1; index < threads; ++index)
    others.emplace_back([&, index] { work(cut(index), cut(index + 1)); });
  work(std::uint64_t{0}, cut(1));
}

}  // namespace hone::device
