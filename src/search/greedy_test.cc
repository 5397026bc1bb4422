#include "search/greedy.h"

#include <gtest/gtest.h>

#include "search/search_example.h"

namespace hone::search {
namespace {

using example::experiment;
using example::Grown;

TEST(Greedy, ChangesTheIncumbentOnly) {
  Grown run;
  run.designed(1, {experiment("a", 0, 5), experiment("b", 50, 60)});
  const auto fast = run.made(1, {0.9});
  run.promote(fast);
  StrategySettings settings;
  settings.explains = false;
  const auto actions = Greedy(settings).next(run.tree, {8, 1}).actions;
  ASSERT_EQ(actions.size(), 1u);
  EXPECT_EQ(actions[0].role, core::Role::designer);
  EXPECT_EQ(actions[0].basis, fast) << "what promised more on its basis is forgotten";
}

TEST(Greedy, RepairsWhatFailedAnywhere) {
  Grown run;
  const auto broken = run.failed(1);
  run.promote(run.made(1, {0.9}));
  StrategySettings settings;
  settings.explains = false;
  const auto actions = Greedy(settings).next(run.tree, {8, 1}).actions;
  ASSERT_FALSE(actions.empty());
  EXPECT_EQ(actions[0].repairs, broken);
}

}  // namespace
}  // namespace hone::search
