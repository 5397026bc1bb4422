#include "judge/input_ring.h"

#include <gtest/gtest.h>

namespace hone::judge {
namespace {

constexpr std::uint64_t mib = 1 << 20, gib = 1 << 30;

TEST(InputRing, ARequestOfShortCallsHasSeveral) {
  EXPECT_EQ(ring_size(4e-5, 1e-3, mib, 100 * gib), 4u);
  EXPECT_EQ(ring_size(1.5e-3, 1e-3, mib, 100 * gib), 3u);
  EXPECT_EQ(ring_size(5e-3, 1e-3, mib, 100 * gib), 1u) << "one call lasts long enough";
}

TEST(InputRing, IsNoLargerThanMemoryAndReferenceAllow) {
  EXPECT_EQ(ring_size(4e-5, 1e-3, 10 * gib, 100 * gib), 3u) << "a quarter of what is free";
  EXPECT_EQ(ring_size(4e-5, 1e-3, 60 * gib, 100 * gib), 1u);
  EXPECT_EQ(ring_size(4e-5, 0.03, mib, 100 * gib), 2u) << "each input costs what the reference takes";
  EXPECT_EQ(ring_size(4e-5, 2, mib, 100 * gib), 1u);
}

}  // namespace
}  // namespace hone::judge
