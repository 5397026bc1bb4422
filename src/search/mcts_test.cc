#include "search/mcts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "search/search_example.h"

namespace hone::search {
namespace {

using core::Action;
using example::experiment;
using example::Grown;
using testing::HasSubstr;

std::vector<Action> next_of(const Grown& run, int slots = 1, int candidates = 100) {
  StrategySettings settings;
  settings.explains = false;
  settings.max_candidates = candidates;
  settings.stop_at_ceiling = 0;
  settings.stop_after_flat = 0;
  return Mcts(settings).next(run.tree, {.model = slots, .judge = 1}).actions;
}

TEST(Mcts, AsksADesignerAboutTheFastest) {
  Grown run;
  const auto fast = run.made(1, {0.5});
  run.promote(fast);
  const auto actions = next_of(run);
  ASSERT_EQ(actions.size(), 1u);
  EXPECT_EQ(actions[0].role, core::Role::designer);
  EXPECT_EQ(actions[0].basis, fast);
}

TEST(Mcts, DecidesTheSameFromTheSameTree) {
  Grown run;
  run.designed(1, {experiment("a", 0, 5), experiment("b", 3, 9), experiment("c", 1, 30, 80)});
  const auto once = next_of(run, 4), again = next_of(run, 4);
  ASSERT_EQ(once.size(), again.size());
  for (std::size_t i = 0; i < once.size(); ++i) {
    EXPECT_EQ(once[i].basis, again[i].basis);
    EXPECT_EQ(once[i].intent, again[i].intent);
    EXPECT_EQ(once[i].why, again[i].why);
  }
}

TEST(Mcts, RepairsWhatFailed) {
  Grown run;
  run.designed(1, {experiment("a", 0, 5), experiment("b", 0, 4)});
  const auto broken = run.failed(1);
  const auto actions = next_of(run);
  ASSERT_EQ(actions.size(), 1u);
  EXPECT_EQ(actions[0].repairs, broken);
}

TEST(Mcts, UnitesGainsThatLieInDifferentPlaces) {
  Grown run;
  const auto other = run.made(1, {0.93}, experiment("b", 0, 5, 0, {"A2"}));
  const auto fast = run.made(1, {0.90}, experiment("a", 0, 5, 0, {"A1"}));
  run.promote(fast);
  const auto actions = next_of(run);
  ASSERT_EQ(actions.size(), 1u);
  ASSERT_TRUE(actions[0].experiment);
  EXPECT_EQ(actions[0].experiment->kind, core::Experiment::Kind::combination);
  EXPECT_EQ(actions[0].basis, fast);
  EXPECT_EQ(actions[0].reference, other);
}

TEST(Mcts, ProbesWhereDesignersDisagree) {
  Grown run;
  run.designed(1, {experiment("a", 0, 5, 0, {"A1"})});
  run.designed(1, {experiment("b", 20, 30, 0, {"A1"})});
  const auto actions = next_of(run);
  ASSERT_EQ(actions.size(), 1u);
  EXPECT_EQ(actions[0].kind, Action::Kind::probe);
  EXPECT_THAT(actions[0].why, HasSubstr("contradict"));
}

TEST(Mcts, BeginsAnewWhenStuck) {
  Grown run;
  for (int i = 0; i < MctsConstants{}.stuck_after; ++i) run.made(1, {1.1});
  const auto actions = next_of(run, 4);
  const auto attempt = std::find_if(actions.begin(), actions.end(), [](const Action& action) {
    return action.place.origin == core::Origin::attempt;
  });
  ASSERT_NE(attempt, actions.end());
  EXPECT_THAT(attempt->why, HasSubstr("brought no gain"));
}

TEST(Mcts, FollowsASlowerDesignThatPromisesMuch) {
  Grown run;
  run.designed(1, {});
  const auto fast = run.made(1, {0.6}), rewrite = run.made(1, {1.3}, experiment("r", -50, 0, 90));
  run.promote(fast);
  for (int i = 0; i < 3; ++i) run.designed(rewrite, {experiment("x" + std::to_string(i), 40, 60)});
  const auto actions = next_of(run);
  ASSERT_EQ(actions.size(), 1u);
  EXPECT_EQ(actions[0].basis, rewrite);
}

TEST(Mcts, EndsWithItsCandidates) {
  Grown run;
  run.made(1, {1.1});
  StrategySettings settings;
  settings.max_candidates = 1;
  settings.stop_at_ceiling = 0;
  Decision decision = Mcts(settings).next(run.tree, {4, 1});
  ASSERT_EQ(decision.actions.size(), 1u) << "what was learned is asked first";
  EXPECT_EQ(decision.actions[0].role, core::Role::learner);
  const auto learner = run.decide(decision.actions[0]).number;
  run.add(core::Answered{learner, {}, {}, core::Lesson{}});
  EXPECT_THAT(Mcts(settings).next(run.tree, {4, 1}).finished, HasSubstr("1 candidates"));
}

}  // namespace
}  // namespace hone::search
