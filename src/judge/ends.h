#pragma once
// Draws of kind "ends": where each of `parts` consecutive ranges of `total` items ends, as a
// routing of tokens to experts or a ragged batch has them. Each item goes to a part at random. The
// parts' weights are random numbers from 0 to 1 to the power `skew`, so that 0 means equal weights
// and 4 gives a few parts most of the items; `empty` parts, random ones, get nothing. A plain
// function of the seed.
#include <cstdint>
#include <vector>

namespace hone::judge {

struct EndsRequest {
  std::int64_t parts = 0, total = 0, skew = 0, empty = 0;
};

// Never decreasing; the last is `total`. At least one part is not empty.
std::vector<std::int64_t> draw_ends(const EndsRequest& request, std::uint64_t seed);

}  // namespace hone::judge
