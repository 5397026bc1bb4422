#pragma once
// The two sides of a comparison.
#include <array>
#include <optional>

#include "judge/finding.h"

namespace hone::judge {

enum Side : std::size_t { side_a, side_b };
template <typename T>
using Both = std::array<T, 2>;
constexpr Both<Side> both_sides = {side_a, side_b};
constexpr Side other(Side side) { return side == side_a ? side_b : side_a; }

// What was found, and about which of the two. About neither: there can be no comparison, and
// neither is to blame.
struct SideFinding {
  std::optional<Side> side;
  Finding finding;
};
using MaybeSideFinding = std::optional<SideFinding>;

// Which side is to blame for a finding. `other_can_starve_it`: the other side can take
// memory that both need, so that a failure may be its doing. What the side wrote, and how it went
// about it, is its own in any case.
SideFinding blamed(Side side, Finding finding, bool other_can_starve_it);

}  // namespace hone::judge
