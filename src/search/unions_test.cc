#include "search/unions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "search/search_example.h"

namespace hone::search {
namespace {

using example::experiment;
using example::Grown;

std::optional<Union> found_for(const Grown& run, core::NodeId basis) {
  const SearchTree search(run.tree, MctsConstants{});
  StrategySettings settings;
  return union_for(run.tree, search, bases_of(run.tree, settings), basis);
}

TEST(Unions, AreOfBranchesThatRestOnDifferentAdvice) {
  Grown run;
  const auto one = run.made(1, {0.90}, experiment("a", 0, 5, 0, {"A1"}));
  const auto other = run.made(1, {0.93}, experiment("b", 0, 5, 0, {"A2"}));
  const auto found = found_for(run, one);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->reference, other);
  EXPECT_NEAR(found->gain, 7, 0.1);
}

TEST(Unions, AreNotOfBranchesThatMadeTheSameChange) {
  Grown run;
  const auto one = run.made(1, {0.90}, experiment("a", 0, 5, 0, {"A1"}));
  run.made(1, {0.93}, experiment("b", 0, 5, 0, {"A1"}));
  EXPECT_FALSE(found_for(run, one));
}

TEST(Unions, CountOnlyTheStepsThatLieElsewhere) {
  Grown run;
  const auto one = run.made(1, {0.90}, experiment("a", 0, 5, 0, {"A1"}));
  const auto branch = run.made(1, {0.97}, experiment("b", 0, 5, 0, {"A2"}));
  run.made(branch, {0.92}, experiment("c", 0, 5, 0, {"A1"}));
  const auto found = found_for(run, one);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->gain, 3, 0.1) << "the second step is the basis's own";
}

TEST(Unions, AreTriedOnce) {
  Grown run;
  const auto one = run.made(1, {0.90}, experiment("a", 0, 5, 0, {"A1"}));
  const auto other = run.made(1, {0.93}, experiment("b", 0, 5, 0, {"A2"}));
  core::Experiment both = experiment("both", 0, 7);
  both.kind = core::Experiment::Kind::combination;
  const auto united = run.made(one, {0.91}, both, other);
  EXPECT_FALSE(found_for(run, one));
  EXPECT_FALSE(found_for(run, united));
}

TEST(Unions, AreOfNodesThatAreFasterInDifferentCases) {
  Grown run;
  const auto first = run.made(1, {0.5}), second = run.made(1, {0.6});
  // As if both had been measured in two cases.
  run.tree.nodes[static_cast<std::size_t>(first) - 1].verdict = example::verdict_of({0.3, 0.8});
  run.tree.nodes[static_cast<std::size_t>(second) - 1].verdict = example::verdict_of({0.5, 0.6});
  run.tree.nodes[0].verdict = example::verdict_of({1, 1});
  const auto found = found_for(run, first);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->reference, second);
  EXPECT_THAT(found->places, testing::HasSubstr("case2"));
}

}  // namespace
}  // namespace hone::search
