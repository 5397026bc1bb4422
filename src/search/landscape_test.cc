#include "search/landscape.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"

namespace hone::search {
namespace {

TEST(Landscape, FollowsFromItsSeed) {
  const Landscape one = make_landscape("deceptive", 7), again = make_landscape("deceptive", 7),
                  other = make_landscape("deceptive", 8);
  ASSERT_EQ(one.changes.size(), again.changes.size());
  EXPECT_EQ(one.changes[3].gain, again.changes[3].gain);
  EXPECT_NE(one.changes[3].gain, other.changes[3].gain);
  EXPECT_THROW(make_landscape("rugged", 1), base::Error);
}

TEST(Landscape, LeadsTheBestFirstStepAstray) {
  const Landscape deceptive = make_landscape("deceptive", 7);
  double best = -10, good = 0, end = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const double speed = speed_in(deceptive, changed(deceptive, Kernel{}, i));
    best = std::max(best, speed);
    if (i == 1) good = speed;
  }
  EXPECT_LT(good, 0) << "the good design begins slower";
  Kernel kernel = changed(deceptive, Kernel{}, 1);
  for (std::size_t i = 4; i < 8; ++i) kernel = changed(deceptive, kernel, i);
  end = speed_in(deceptive, kernel);
  EXPECT_GT(end, best);
  EXPECT_FALSE(can_change(deceptive, Kernel{}, 4)) << "its gains belong to its design";
}

TEST(Landscape, EndsAtItsCeiling) {
  const Landscape smooth = make_landscape("smooth", 1);
  Kernel all;
  for (std::size_t i = 0; i < smooth.changes.size(); ++i)
    if (smooth.changes[i].gain[0] + smooth.changes[i].gain[1] > 0) all = changed(smooth, all, i);
  EXPECT_GT(speed_in(smooth, all), 0);
  EXPECT_LE(speed_in(smooth, all), smooth.ceiling);
}

TEST(Landscape, GivesTheSameResultToTheSameExperiment) {
  const Landscape smooth = make_landscape("smooth", 3);
  for (std::size_t change = 0; change < 10; ++change)
    EXPECT_EQ(write_change(smooth, Kernel{}, 5, change, 1).has_value(),
              write_change(smooth, Kernel{}, 5, change, 1).has_value());
}

TEST(Landscape, HardlyDesignsAgainWhatBroughtNothing) {
  const Landscape smooth = make_landscape("smooth", 3);
  std::vector<Known> known(smooth.changes.size());
  known[4].tried_here = true;
  for (int number = 1; number < 50; ++number)
    for (const Offer& offer : design(smooth, Kernel{}, known, number)) EXPECT_NE(offer.change, 4u);
}

TEST(Landscape, DrawsNormalNumbers) {
  double sum = 0, squares = 0;
  constexpr int count = 4000;
  for (std::uint64_t i = 0; i < count; ++i) {
    const double x = normal(1, 2, i);
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / count, 0, 0.08);
  EXPECT_NEAR(squares / count, 1, 0.1);
}

}  // namespace
}  // namespace hone::search
