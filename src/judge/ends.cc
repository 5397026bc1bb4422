#include "judge/ends.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace hone::judge {

std::vector<std::int64_t> draw_ends(const EndsRequest& request, std::uint64_t seed) {
  const auto parts = static_cast<std::size_t>(std::max<std::int64_t>(request.parts, 1));
  std::mt19937_64 words(seed);
  const auto uniform = [&] {
    return static_cast<double>(words() >> 11) * 0x1p-53;  // 53 bits, from 0 to just under 1
  };
  std::vector<double> upto(parts);  // the parts' weights, summed up
  std::vector<std::size_t> order(parts);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = parts - 1; i > 0; --i) std::swap(order[i], order[words() % (i + 1)]);
  const auto empty =
      static_cast<std::size_t>(std::clamp<std::int64_t>(request.empty, 0, request.parts - 1));
  for (std::size_t i = 0; i < parts; ++i)
    upto[order[i]] =
        i < empty ? 0.0 : std::max(std::pow(uniform(), static_cast<double>(request.skew)), 1e-9);
  std::partial_sum(upto.begin(), upto.end(), upto.begin());
  std::vector<std::int64_t> ends(parts, 0);
  for (std::int64_t item = 0; item < request.total; ++item) {
    const auto part = std::upper_bound(upto.begin(), upto.end(), uniform() * upto.back());
    ++ends[static_cast<std::size_t>(std::min(part, upto.end() - 1) - upto.begin())];
  }
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  return ends;
}

}  // namespace hone::judge
