#include "core/tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/tree_example.h"

namespace hone::core {
namespace {

using example::add_node;
using example::ranked_tree;
using ::testing::ElementsAre;

std::vector<NodeId> ranked(const Tree& tree, int before_generation) {
  std::vector<NodeId> numbers;
  for (const Node* node : ranking(tree, before_generation)) numbers.push_back(node->number);
  return numbers;
}

TEST(Ranking, PutsTheIncumbentFirstWhateverTheScreenedTimesSay) {
  const Tree tree = ranked_tree();
  EXPECT_THAT(ranked(tree, 3), ElementsAre(2, 3, 4, 1));
  EXPECT_THAT(ranked(tree, 1), ElementsAre(1))
      << "what came later is not known to an earlier generation";
}

TEST(Ranking, PutsWhatNothingWasComparedWithYetByItsTime) {
  Tree tree = ranked_tree();
  add_node(tree, 3, 1, 2);
  EXPECT_THAT(ranked(tree, 4), ElementsAre(5, 2, 3, 4, 1))
      << "the generation of 5 has not been decided";
}

TEST(Ranking, HasNoNodeThatWasNotAcceptedOrIsRefusedByItsCertification) {
  Tree tree = ranked_tree();
  example::fail(add_node(tree, 2, 1, 2));
  add_node(tree, 2, 1, 2).certified = Verdict{.outcome = Outcome::wrong};
  tree.nodes.emplace_back().number = 7;  // being written
  EXPECT_THAT(ranked(tree, 3), ElementsAre(2, 3, 4, 1));
}

TEST(Incumbent, OfAGenerationIsTheOneThatWasPromotedLastBeforeIt) {
  const Tree tree = ranked_tree();
  EXPECT_EQ(incumbent_before(tree, 0), nullptr);
  EXPECT_EQ(incumbent_before(tree, 1)->number, 1);
  EXPECT_EQ(incumbent_before(tree, 2)->number, 2);
  EXPECT_EQ(incumbent_of(tree)->number, 2);
  EXPECT_TRUE(is_promoted_after(tree, 2));
  EXPECT_FALSE(is_promoted_after(tree, 3));
  EXPECT_EQ(incumbent_of(Tree()), nullptr);
}

TEST(Seed, IsTheFastestThatNothingInTheRunWrote) {
  Tree tree = ranked_tree();
  add_node(tree, 0, 8, 0, Origin::user_seed);
  add_node(tree, 0, 1, 0, Origin::translation);
  EXPECT_EQ(seed_of(tree)->number, 5);
  example::fail(tree.nodes[0]);
  example::fail(tree.nodes[4]);
  EXPECT_EQ(seed_of(tree)->number, 6) << "nothing that was given was accepted";
  example::fail(tree.nodes[5]);
  EXPECT_EQ(seed_of(tree)->number, 2) << "the first that was accepted at all";
  EXPECT_EQ(seed_of(Tree()), nullptr);
}

TEST(Ancestors, AreFoundThroughEveryBasis) {
  const Tree tree = ranked_tree();
  EXPECT_TRUE(is_ancestor(tree, 1, 3));
  EXPECT_TRUE(is_ancestor(tree, 2, 3));
  EXPECT_FALSE(is_ancestor(tree, 3, 2));
  EXPECT_FALSE(is_ancestor(tree, 4, 3));
  EXPECT_FALSE(is_ancestor(tree, 3, 3));
}

TEST(Gain, IsThatOfTheComparisonWhereThereIsOne) {
  Tree tree = ranked_tree();
  EXPECT_NEAR(*realised_gain(tree, tree.nodes[2]), 2, 1e-9);
  tree.nodes[2].comparisons.push_back({.other = 2, .ratio = 1.25});
  EXPECT_NEAR(*realised_gain(tree, tree.nodes[2]), -25, 1e-9);
  EXPECT_FALSE(realised_gain(tree, tree.nodes[0])) << "it has no basis";
}

}  // namespace
}  // namespace hone::core
