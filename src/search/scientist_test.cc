#include "search/scientist.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/tree_example.h"
#include "search/experiment_order.h"

namespace hone::search {
namespace {

using core::example::add_node;
using core::example::ranked_tree;
using ::testing::IsEmpty;

TEST(SelectionByRule, TakesTheIncumbentWithAReferenceFromAnotherLine) {
  const auto selection = select_by_rule(ranked_tree(), 3);
  EXPECT_EQ(selection.basis, 2);
  EXPECT_EQ(selection.reference, 4) << "3 is its child, 1 its parent";
}

TEST(SelectionByRule, TakesTheParentAsReferenceWhereThereIsOneLineOnly) {
  const auto selection = select_by_rule(ranked_tree(), 2);
  EXPECT_EQ(selection.basis, 2);
  EXPECT_EQ(selection.reference, 1);
}

TEST(SelectionByRule, NeverTakesWhatFailed) {
  core::Tree tree = ranked_tree();
  core::example::fail(tree.nodes[3]);
  core::example::fail(add_node(tree, 2, 1, 1));
  EXPECT_EQ(select_by_rule(tree, 3).reference, 1) << "4 and 5 are of another line, but wrong";
}

core::Experiment designed(const char* name, double innovation, double low, double high) {
  return {.description = name, .gain_low = low, .gain_high = high, .innovation = innovation};
}

TEST(TakenExperiments, AreThreeByThreeRulesWithoutReplacement) {
  const std::vector<core::Experiment> experiments{
      designed("bold", 90, 5, 80), designed("big", 50, -10, 70), designed("safe", 10, 4, 6),
      designed("dull", 5, 1, 2), designed("sure", 20, 3, 9)};
  const auto taken = take_experiments(experiments, 3);
  ASSERT_EQ(taken.size(), 3u);
  EXPECT_EQ(experiments[taken[0].position].description, "bold");
  EXPECT_EQ(taken[0].rule, "most innovative");
  EXPECT_EQ(experiments[taken[1].position].description, "big")
      << "bold has the highest maximum, but it is gone";
  EXPECT_EQ(taken[1].rule, "highest maximum");
  EXPECT_EQ(experiments[taken[2].position].description, "safe");
  EXPECT_EQ(taken[2].rule, "highest minimum");
  const auto all = take_experiments(experiments, 9);
  ASSERT_EQ(all.size(), 5u);
  EXPECT_EQ(experiments[all[3].position].description, "sure")
      << "the rules begin again: the most innovative of what is left";
  EXPECT_THAT(take_experiments({}, 3), IsEmpty());
}

}  // namespace
}  // namespace hone::search
