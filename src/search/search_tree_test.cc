#include "search/search_tree.h"

#include <gtest/gtest.h>

#include "search/scores.h"
#include "search/search_example.h"

namespace hone::search {
namespace {

using example::experiment;
using example::Grown;

SearchTree searched(const Grown& run) { return {run.tree, MctsConstants{}}; }

TEST(SearchTree, RewardsTheFastestMostAndFailuresLessThanAnySuccess) {
  Grown run;
  const auto fast = run.made(1, {0.9}), slow = run.made(1, {50}), broken = run.failed(1);
  const SearchTree tree = searched(run);
  EXPECT_EQ(tree.node(fast).reward, 1);
  EXPECT_GT(tree.node(1).reward, tree.node(slow).reward);
  EXPECT_GT(tree.node(slow).reward, tree.node(broken).reward);
  EXPECT_EQ(tree.node(0).best, fast);
  EXPECT_EQ(tree.node(0).visits, 4);
}

TEST(SearchTree, CountsPendingNodesAsVisitsWithoutReward) {
  Grown run;
  run.made(1, {0.9});
  const double before = value(searched(run), 1);
  run.asked(1);
  const SearchTree tree = searched(run);
  EXPECT_EQ(tree.node(1).pending, 1);
  EXPECT_LT(value(tree, 1), before);
}

TEST(SearchTree, MergesNodesWithOneSource) {
  Grown run;
  const auto first = run.made(1, {0.9});
  const auto second = run.asked(1);
  run.written(second, "source " + std::to_string(first));
  run.add(core::Judged{second, example::verdict_of({0.9}), {}, {}});
  const SearchTree tree = searched(run);
  EXPECT_EQ(tree.node(second).same, first);
  EXPECT_EQ(tree.node(first).visits, 2) << "its visit counts on the way to both";
  EXPECT_EQ(tree.node(1).visits, 3) << "and once above";
  EXPECT_EQ(tree.node(1).children.size(), 1u);
}

TEST(SearchTree, AllowsMoreChildrenWhereTheyAreFaster) {
  Grown run;
  const auto basis = run.made(1, {0.9});
  run.made(basis, {1});
  const int before = allowed(searched(run), basis);
  Grown other;
  other.made(1, {0.9});
  other.made(basis, {0.8});
  EXPECT_EQ(allowed(searched(other), basis), before + 1);
}

TEST(SearchTree, RefutesWhatIsSlowerUnlessItPromises) {
  Grown run;
  const auto slower = run.made(1, {1.2}), faster = run.made(1, {0.8});
  SearchTree tree = searched(run);
  EXPECT_TRUE(is_refuted(tree, slower));
  EXPECT_FALSE(is_refuted(tree, faster));
  tree.add_promise(slower);
  EXPECT_FALSE(is_refuted(tree, slower));
}

TEST(SearchTree, TellsANewDesignByItsTimeAndItsDesignersWord) {
  Grown run;
  const auto tweak = run.made(1, {1.02}, experiment("a", 0, 1, 90));
  const auto tame = run.made(1, {1.5}, experiment("b", 0, 1, 10));
  const auto rewrite = run.made(1, {1.5}, experiment("c", 0, 1, 90));
  const SearchTree tree = searched(run);
  EXPECT_FALSE(is_new_design(tree, tweak));
  EXPECT_FALSE(is_new_design(tree, tame));
  EXPECT_TRUE(is_new_design(tree, rewrite));
}

TEST(SearchTree, CallsASubtreeDeadThatBringsNothing) {
  Grown run;
  const auto best = run.made(1, {0.5}), line = run.made(1, {0.9});
  for (int i = 0; i < 3; ++i) run.made(line, {0.95});
  SearchTree tree = searched(run);
  EXPECT_FALSE(is_dead_end(tree, line)) << "no designer was asked about its best";
  tree.add_design(line);
  EXPECT_TRUE(is_dead_end(tree, line));
  tree.add_design(best);
  EXPECT_FALSE(is_dead_end(tree, best)) << "the fastest never is";
}

TEST(SearchTree, SaysWhenABoldExperimentIsDue) {
  Grown run;
  for (int i = 0; i < 7; ++i) run.made(1, {1.1});
  EXPECT_FALSE(is_bold_due(searched(run)));
  run.made(1, {1.1});
  run.made(1, {1.1});
  EXPECT_TRUE(is_bold_due(searched(run)));
}

}  // namespace
}  // namespace hone::search
