// Tree search and greedy search, end to end: killed, resumed, and shown.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "base/json_probe.h"
#include "laboratory.h"
#include "run/journal.h"
#include "store/research.h"

namespace hone::end_to_end {
namespace {

using testing::HasSubstr;

// One candidate after the other, so that two runs answer in the same order.
std::vector<std::string> mcts_words(const Laboratory& lab, const std::string& strategy = "mcts") {
  return lab.words({"--strategy", strategy, "--slots", "1", "--stop-at-ceiling", "0"});
}

std::string only_run(const Laboratory& lab) {
  auto archive = lab.archive();
  return store::list_runs(archive, 2).at(0).id;
}

// What was decided, and from which node.
std::vector<std::string> decided_in(const Laboratory& lab) {
  auto archive = lab.archive();
  std::vector<std::string> list;
  for (const auto& act : run::tree_of(archive, only_run(lab)).actions)
    list.push_back(std::string(core::name_of(act.action.kind)) + " " + std::to_string(act.node) +
                   " from " + std::to_string(act.action.basis));
  return list;
}

TEST(MctsRun, FinishesAndShowsItsTreeAndItsReasons) {
  const Laboratory lab;
  const auto finished = lab.hone.run(mcts_words(lab));
  ASSERT_EQ(finished.code, 0) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("8 candidates were allowed"));
  const std::string run = only_run(lab);
  const auto tree = lab.hone.run({"show", run, "--tree"});
  EXPECT_EQ(tree.code, 0) << tree.err;
  EXPECT_THAT(tree.out, HasSubstr("the incumbent"));
  const base::JsonProbe nodes(lab.hone.run({"show", run, "--tree", "--json"}).out);
  EXPECT_EQ(nodes["nodes"].size(), 9u);  // and the seed
  const auto why = lab.hone.run({"show", run, "--why", "3"});
  EXPECT_EQ(why.code, 0) << why.err;
  EXPECT_THAT(why.out, HasSubstr("Why it was asked for: "));
  const auto unknown = lab.hone.run({"show", run, "--why", "77"});
  EXPECT_EQ(unknown.code, 3);
  EXPECT_THAT(unknown.err, HasSubstr("--tree"));
}

TEST(MctsRun, IsKilledAndResumesWithTheSameTree) {
  const Laboratory whole;
  ASSERT_EQ(whole.hone.run(mcts_words(whole)).code, 0);
  for (const int node : {2, 4, 6}) {
    const Laboratory lab;
    char mark[32];
    std::snprintf(mark, sizeof mark, "%05d from", node);
    const auto killed = lab.hone.run_and_signal(mcts_words(lab), mark, 1, SIGKILL);
    ASSERT_EQ(killed.code, 128 + SIGKILL) << killed.err;
    const auto resumed = lab.hone.run({"resume", only_run(lab)});
    ASSERT_EQ(resumed.code, 0) << resumed.err;
    EXPECT_EQ(decided_in(lab), decided_in(whole)) << "killed at node " << node;
  }
}

TEST(GreedyRun, ChangesOnlyTheIncumbent) {
  const Laboratory lab;
  const auto finished = lab.hone.run(mcts_words(lab, "greedy"));
  ASSERT_EQ(finished.code, 0) << finished.err;
  auto archive = lab.archive();
  int experiments = 0;
  for (const auto& node : run::tree_of(archive, only_run(lab)).nodes)
    if (node.place.origin == core::Origin::experiment) {
      EXPECT_EQ(node.basis, node.rival) << node.number;
      ++experiments;
    }
  EXPECT_GT(experiments, 0);
}

}  // namespace
}  // namespace hone::end_to_end
