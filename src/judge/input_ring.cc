#include "judge/input_ring.h"

#include <algorithm>
#include <cmath>

namespace hone::judge {

using base::Failure;

std::size_t ring_size(double seconds_per_call, double seconds_per_input, std::uint64_t set_bytes,
                      std::uint64_t free_bytes) {
  constexpr double wanted_seconds = 4e-3, most_reference = 0.05;
  constexpr std::size_t most_calls = 4;
  constexpr std::uint64_t free_part = 4;  // of what is free
  const double wanted = std::ceil(wanted_seconds / std::max(seconds_per_call, shortest_seconds));
  const auto calls =
      static_cast<std::size_t>(std::clamp(wanted, 1.0, static_cast<double>(most_calls)));
  const std::uint64_t room = 1 + free_bytes / free_part / std::max<std::uint64_t>(set_bytes, 1);
  const double affordable = 1 + most_reference / std::max(seconds_per_input, 1e-6);
  return std::min({calls, static_cast<std::size_t>(room), static_cast<std::size_t>(affordable)});
}

base::Result<std::unique_ptr<InputRing>, SideFinding> InputRing::make(Judge& judge, TrialPair& pair,
                                                                      const core::Case& which,
                                                                      double seconds) {
  auto& working = *pair.trial(side_a).parts().working;
  Pool& pool = judge.inputs().pool(which);
  std::unique_ptr<InputRing> ring(new InputRing(pair, pair.trial(side_a).known().front()));
  const std::uint64_t each = allocated_bytes(working) + Pool::entry_bytes(judge.task(), which);
  const std::size_t calls =
      ring_size(seconds, pool.seconds_per_entry(), each, judge.tensor_ops().free_bytes());
  const auto sets = std::make_shared<Batch>(judge.tensor_ops(), working);
  sets->grow(calls);
  while (ring->entries_.size() < calls) {
    ring->own_.push_back(pool.fresh());
    ring->entries_.push_back(ring->own_.back().get());
  }
  if (auto problem = pair.use_sets(sets)) return Failure{*std::move(problem)};
  return ring;
}

base::Result<double, SideFinding> InputRing::time(Side side) {
  const auto called = pair_.time_in_place(side, entries_, false);
  if (!called) return Failure{called.error()};
  return called->seconds;
}

MaybeSideFinding InputRing::warm_up(Side side, bool elsewhere) {
  const auto called = pair_.time_in_place(side, entries_, elsewhere);
  return called ? std::nullopt : MaybeSideFinding(called.error());
}

}  // namespace hone::judge
