#include "search/stop_rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "search/search_example.h"

namespace hone::search {
namespace {

using example::Grown;

// A run whose seed stands at this part of its ceiling, with so many candidates that bring nothing.
Grown flat_run(double reached, int candidates) {
  Grown run;
  run.tree.nodes[0].verdict->cases[0].ceiling_fraction = reached;
  for (int i = 0; i < candidates; ++i) run.made(1, {1.1});
  return run;
}

TEST(StopRule, GivesMoreCandidatesWhereMoreIsLeft) {
  const StrategySettings settings;
  const int far = stop_figures(flat_run(0.1, 1).tree, settings).window;
  const int near = stop_figures(flat_run(0.8, 1).tree, settings).window;
  EXPECT_GT(far, 20);
  EXPECT_LT(near, 10);
}

TEST(StopRule, EndsAFlatRunNearItsCeilingAndSaysWhy) {
  const StrategySettings settings;
  const std::string why = nothing_left(flat_run(0.8, 9).tree, settings);
  EXPECT_THAT(why, testing::HasSubstr("80 % of the ceiling"));
  EXPECT_THAT(why, testing::HasSubstr("brought 0.0 %"));
  EXPECT_EQ(nothing_left(flat_run(0.1, 9).tree, settings), "") << "it is far from its ceiling";
}

TEST(StopRule, GoesOnWhereTheLastCandidatesBroughtGains) {
  Grown run = flat_run(0.8, 8);
  run.promote(run.made(1, {0.9}));
  run.tree.nodes.back().verdict->cases[0].ceiling_fraction = 0.85;
  EXPECT_EQ(nothing_left(run.tree, {}), "");
}

TEST(StopRule, EndsAtTheCeiling) {
  EXPECT_THAT(nothing_left(flat_run(0.96, 0).tree, {}), testing::HasSubstr("95 %"));
}

TEST(StopRule, CanBeSwitchedOff) {
  StrategySettings never;
  never.stop_after_flat = 0;
  EXPECT_EQ(nothing_left(flat_run(0.8, 100).tree, never), "");
}

}  // namespace
}  // namespace hone::search
