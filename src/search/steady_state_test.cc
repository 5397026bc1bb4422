#include "search/steady_state.h"

#include <gtest/gtest.h>

#include "search/search_example.h"

namespace hone::search {
namespace {

using example::Grown;

core::NodeId compared(Grown& run, core::NodeId basis, double ratio, double half_width) {
  const auto node = run.asked(basis);
  run.written(node, "source " + std::to_string(node));
  const core::NodeId rival = run.tree.node(node)->rival;
  core::ComparedWith beside{.other = rival, .comparison = "x", .ratio = ratio};
  beside.interval = {ratio - half_width, ratio + half_width};
  beside.word = beside.interval.high < 1 ? core::Comparison::faster : core::Comparison::slower;
  run.add(core::Judged{
      node, example::verdict_of({ratio * run.tree.node(rival)->seconds()}), {}, beside});
  return node;
}

TEST(SteadyState, BeginsWithTheFastestThatWasGiven) {
  core::Tree tree;
  core::update(tree, core::Given{{.origin = core::Origin::user_seed}, "s", "s.cu", "u"});
  EXPECT_TRUE(beginning(tree, {}, {1, 1})->actions.empty()) << "it is being judged";
  core::update(tree, core::Judged{1, example::verdict_of({1}), {}, {}});
  const auto begun = beginning(tree, {}, {1, 1});
  ASSERT_EQ(begun->actions.size(), 1u);
  EXPECT_EQ(begun->actions[0].kind, core::Action::Kind::promote);
}

TEST(SteadyState, PromotesWhatBeatTheIncumbentSideBySide) {
  Grown run;
  EXPECT_FALSE(promotion_due(run.tree, {}));
  compared(run, 1, 0.97, 0.05);
  EXPECT_FALSE(promotion_due(run.tree, {})) << "the interval holds 1";
  const auto faster = compared(run, 1, 0.9, 0.01);
  ASSERT_TRUE(promotion_due(run.tree, {}));
  EXPECT_EQ(promotion_due(run.tree, {})->basis, faster);
}

TEST(SteadyState, HoldsCandidatesOfDifferentRivalsAgainstEachOther) {
  Grown run;
  const auto one = compared(run, 1, 0.9, 0.01);
  const auto other = compared(run, 1, 0.8, 0.01);  // decided while 1 was the incumbent
  run.promote(one);
  const auto due = promotion_due(run.tree, {});
  ASSERT_TRUE(due);
  EXPECT_EQ(due->basis, other);
}

TEST(SteadyState, AsksALearnerOnceEnoughWasJudged) {
  Grown run;
  for (int i = 0; i < learns_after; ++i) {
    Expansions before(run.tree, {}, {4, 1});
    add_learner(run.tree, before);
    EXPECT_TRUE(before.empty());
    run.made(1, {1.1});
  }
  Expansions now(run.tree, {}, {4, 1});
  add_learner(run.tree, now);
  const auto actions = now.take();
  ASSERT_EQ(actions.size(), 1u);
  EXPECT_EQ(actions[0].about.size(), static_cast<std::size_t>(learns_after));
}

}  // namespace
}  // namespace hone::search
