#include "judge/input_ring.h"

#include <gtest/gtest.h>

namespace hone::judge {
namespace {

constexpr std::uint64_t small_input = 1 << 20, large_input = 1 << 30;

TEST(InputRing, ARequestOfShortCallsHasSeveral) {
  EXPECT_EQ(ring_size(4e-5, 1e-3, small_input, 100 * large_input), 4u);
  EXPECT_EQ(ring_size(1.5e-3, 1e-3, small_input, 100 * large_input), 3u);
  EXPECT_EQ(ring_size(5e-3, 1e-3, small_input, 100 * large_input), 1u)
      << "one call lasts long enough";
}

TEST(InputRing, IsNoLargerThanMemoryAndReferenceAllow) {
  EXPECT_EQ(ring_size(4e-5, 1e-3, 10 * large_input, 100 * large_input), 3u)
      << "a quarter of what is free";
  EXPECT_EQ(ring_size(4e-5, 1e-3, 60 * large_input, 100 * large_input), 1u);
  EXPECT_EQ(ring_size(4e-5, 0.03, small_input, 100 * large_input), 2u)
      << "each input costs what the reference takes";
  EXPECT_EQ(ring_size(4e-5, 2, small_input, 100 * large_input), 1u);
}

}  // namespace
}  // namespace hone::judge
