#include "tables/pace.h"

#include <gtest/gtest.h>

#include <limits>

namespace hone::tables {
namespace {

TEST(Pace, LetsAnyNumberBeginWhileNothingIsKnown) {
  EXPECT_EQ(Pace{}.fitting(1), std::numeric_limits<std::size_t>::max());
  EXPECT_EQ(Pace{}.fitting(0), 0u);
  EXPECT_EQ(Pace{}.fitting(-1), 0u);
}

TEST(Pace, LeavesTimeForTheSlowestPreparationAndTheLongestTiming) {
  const Pace pace{{10, 20, 30}, 100};
  EXPECT_EQ(pace.longest_timing(), 30);
  EXPECT_EQ(pace.fitting(129), 0u);
  EXPECT_EQ(pace.fitting(130), 1u);
  EXPECT_EQ(pace.fitting(171), 3u) << "one, and two more of 20 s each";
}

}  // namespace
}  // namespace hone::tables
