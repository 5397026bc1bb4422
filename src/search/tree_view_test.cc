#include "search/tree_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "search/search_example.h"

namespace hone::search {
namespace {

TEST(TreeView, ListsParentsBeforeTheirChildren) {
  example::Grown run;
  const auto slow = run.made(1, {1.5}), fast = run.made(1, {0.5});
  const auto child = run.made(slow, {1.4});
  run.promote(fast);
  const auto views = view_of(run.tree);
  std::vector<core::NodeId> order;
  std::vector<int> depths;
  for (const NodeView& view : views) {
    order.push_back(view.number);
    depths.push_back(view.depth);
  }
  EXPECT_THAT(order, testing::ElementsAre(1, slow, child, fast));
  EXPECT_THAT(depths, testing::ElementsAre(0, 1, 2, 1));
  EXPECT_EQ(views[0].best, fast);
  EXPECT_TRUE(views[3].is_incumbent);
  EXPECT_NEAR(*views[3].speedup, 2, 1e-9);
}

TEST(TreeView, SaysWhyASubtreeIsLeft) {
  example::Grown run;
  run.made(1, {1.5});
  run.promote(run.made(1, {0.5}));
  EXPECT_THAT(view_of(run.tree)[1].pruned, testing::HasSubstr("no faster"));
}

}  // namespace
}  // namespace hone::search
