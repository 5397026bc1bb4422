#include "search/speeds.h"

#include <gtest/gtest.h>

#include <cmath>

#include "search/search_example.h"

namespace hone::search {
namespace {

TEST(Speeds, AreLogarithmsOverTheSeed) {
  example::Grown run;
  const auto half = run.made(1, {0.5});
  const auto broken = run.failed(1);
  const Speeds speeds = speeds_of(run.tree);
  EXPECT_NEAR(*speeds.of(half), std::log(2.0), 1e-12);
  EXPECT_FALSE(speeds.of(broken));
  EXPECT_EQ(speeds.fastest, half);
}

TEST(Speeds, TrustAComparisonSideBySideMoreThanTimes) {
  example::Grown run;
  const auto node = run.asked(1);
  run.written(node, "s");
  const core::ComparedWith compared{
      .other = 1, .comparison = "x", .ratio = 0.8, .word = core::Comparison::faster};
  run.add(core::Judged{node, example::verdict_of({0.5}), {}, compared});
  ASSERT_EQ(run.tree.node(node)->rival, 1);
  EXPECT_NEAR(*speeds_of(run.tree).of(node), -std::log(0.8), 1e-12);
}

TEST(Speeds, SayWhatALogarithmSaves) { EXPECT_NEAR(percent_saved(std::log(2.0)), 50, 1e-9); }

}  // namespace
}  // namespace hone::search
