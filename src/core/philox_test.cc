#include "core/philox.h"

#include <gtest/gtest.h>

namespace hone::core {
namespace {

// The known answer of the Random123 distribution for an all-zero counter and key.
TEST(Philox, GivesThePublishedAnswer) {
  EXPECT_EQ(philox(0, 0, 0),
            (std::array<std::uint32_t, 4>{0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}));
}

TEST(Philox, DependsOnSeedStreamAndCounter) {
  const auto base = philox(1, 0, 7);
  EXPECT_EQ(base, philox(1, 0, 7));
  EXPECT_NE(base, philox(2, 0, 7));
  EXPECT_NE(base, philox(std::uint64_t{1} << 32, 0, 7));
  EXPECT_NE(base, philox(1, 1, 7));
  EXPECT_NE(base, philox(1, 0, 8));
  EXPECT_NE(base, philox(1, 0, 7 + (std::uint64_t{1} << 32)));
}

}  // namespace
}  // namespace hone::core
