#include "search/simulated_run.h"

#include <gtest/gtest.h>

#include "search/tree_view.h"

namespace hone::search {
namespace {

SimulatedRun run_of(std::string_view strategy, int slots, int candidates = 20) {
  StrategySettings settings;
  settings.max_candidates = candidates;
  settings.stop_after_flat = 0;
  settings.stop_at_ceiling = 0;
  return simulate_run(make_landscape("smooth", 11), *make_strategy(strategy, settings),
                      {.slots = slots, .keeps_tree = true});
}

TEST(SimulatedRun, TakesItsCandidatesAndEnds) {
  for (const auto strategy : strategy_names) {
    const SimulatedRun run = run_of(strategy, 4);
    EXPECT_EQ(run.candidates, 20) << strategy;
    EXPECT_FALSE(run.finished.empty()) << strategy;
    EXPECT_GE(run.best_seen, run.best) << strategy;
  }
}

TEST(SimulatedRun, IsTheSameEachTime) {
  const SimulatedRun once = run_of("mcts", 4), again = run_of("mcts", 4);
  EXPECT_EQ(once.best, again.best);
  EXPECT_EQ(once.seconds, again.seconds);
}

TEST(SimulatedRun, TakesLessTimeWithMoreSlots) {
  EXPECT_LT(run_of("greedy", 4).seconds, run_of("greedy", 1).seconds);
}

TEST(SimulatedRun, LeavesATreeThatCanBeShown) {
  const SimulatedRun run = run_of("mcts", 1);
  const auto views = view_of(run.tree);
  EXPECT_EQ(views.size(), run.tree.nodes.size());
}

}  // namespace
}  // namespace hone::search
