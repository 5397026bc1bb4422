#include "search/expansions.h"

#include <gtest/gtest.h>

#include "search/search_example.h"

namespace hone::search {
namespace {

using example::experiment;
using example::Grown;

StrategySettings settings(int candidates = 0) {
  StrategySettings settings;
  settings.explains = false;
  settings.max_candidates = candidates;
  return settings;
}

TEST(Expansions, FillTheSlotsAndNoMore) {
  Grown run;
  run.designed(1, {experiment("a", 0, 5), experiment("b", 0, 6), experiment("c", 0, 7)});
  Expansions expansions(run.tree, settings(), {.model = 2, .judge = 1});
  EXPECT_TRUE(expansions.expand(1, "why"));
  EXPECT_TRUE(expansions.expand(1, "why"));
  EXPECT_FALSE(expansions.expand(1, "why"));
  const auto actions = expansions.take();
  ASSERT_EQ(actions.size(), 2u);
  EXPECT_NE(actions[0].place.index, actions[1].place.index) << "two writers";
  EXPECT_NE(actions[0].generation, actions[1].generation) << "one for each action";
}

TEST(Expansions, KeepInsideTheBudgetOfCandidates) {
  Grown run;
  run.designed(1, {experiment("a", 0, 5), experiment("b", 0, 6)});
  Expansions expansions(run.tree, settings(1), {.model = 8, .judge = 1});
  EXPECT_TRUE(expansions.expand(1, ""));
  EXPECT_FALSE(expansions.expand(1, ""));
}

TEST(Expansions, LeaveBoldExperimentsAndThoseThatPromiseTheDistance) {
  Grown run;
  run.designed(1, {experiment("small", 0, 5, 10), experiment("bold", 0, 1, 70),
                   experiment("large", 40, 60, 10)});
  Expansions expansions(run.tree, settings(), {.model = 8, .judge = 1});
  expansions.keep_bold(1, 60, 30);
  ASSERT_EQ(expansions.basis(1).stock.size(), 2u);
  EXPECT_EQ(expansions.basis(1).stock[0].intent, 2);
  EXPECT_EQ(expansions.basis(1).stock[1].intent, 3);
}

TEST(Expansions, LeaveOneOfADesignEvenWhereNothingIsBold) {
  Grown run;
  run.designed(1, {experiment("small", 0, 5, 10), experiment("other", 0, 4, 20)});
  Expansions expansions(run.tree, settings(), {.model = 8, .judge = 1});
  expansions.keep_bold(1, 60, 30);
  ASSERT_EQ(expansions.basis(1).stock.size(), 1u);
  EXPECT_EQ(expansions.basis(1).stock[0].intent, 2) << "the boldest";
}

TEST(Expansions, KeepWhatPromises) {
  Grown run;
  run.designed(1, {experiment("small", 0, 5), experiment("large", 40, 60)});
  Expansions expansions(run.tree, settings(), {.model = 8, .judge = 1});
  expansions.keep_promising(1, 30);
  ASSERT_EQ(expansions.basis(1).stock.size(), 1u);
  EXPECT_EQ(expansions.basis(1).stock[0].intent, 2);
}

TEST(Expansions, RepairWithTheSameExperimentAndTheNextAttempt) {
  Grown run;
  const auto broken = run.failed(1, experiment("a", 0, 5));
  Expansions expansions(run.tree, settings(), {.model = 8, .judge = 1});
  EXPECT_TRUE(expansions.expand(1, ""));
  const auto actions = expansions.take();
  ASSERT_EQ(actions.size(), 1u);
  EXPECT_EQ(actions[0].repairs, broken);
  EXPECT_EQ(actions[0].intent, run.tree.node(broken)->intent);
  EXPECT_EQ(actions[0].place.attempt, 2);
}

TEST(Expansions, CompareWithTheFastestOfAnotherLine) {
  Grown run;
  const auto left = run.made(1, {0.7}), right = run.made(1, {0.8});
  run.made(left, {0.6});
  EXPECT_EQ(reference_for(run.tree, right), left + 2) << "the fastest that is no relative";
  EXPECT_EQ(reference_for(run.tree, left), right);
}

}  // namespace
}  // namespace hone::search
