// Strategies against runs that exist only as records: no model, no device, no archive.
#include "search/strategy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "base/error.h"
#include "core/records.h"

namespace hone::search {
namespace {

using core::Action;
using core::DecidedAction;
using core::Origin;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

core::Verdict verdict(double seconds) {
  core::Verdict verdict{.evaluation = "e", .outcome = core::Outcome::accepted, .geomean = seconds};
  verdict.cases.push_back(
      {.name = "main", .timed = true, .median = seconds, .ceiling_fraction = 0.1 / seconds});
  return verdict;
}
core::Verdict refusal() {
  return {.evaluation = "e", .outcome = core::Outcome::wrong, .reason = "it is wrong"};
}

// A run whose models and judge answer what the test says; by default every candidate is accepted
// with the same time.
struct Played {
  explicit Played(std::string_view name, StrategySettings settings)
      : strategy(make_strategy(name, settings)) {}

  void add(core::Record record) { core::update(tree, record); }
  void seed(double time) {
    add(core::Given{{.origin = Origin::user_seed}, "seed", "seed.cu", "the user"});
    add(core::Judged{1, verdict(time), {}, {}});
  }
  // What is decided now, recorded; nothing is answered.
  std::vector<DecidedAction> decide(Capacity capacity = {16, 1}) {
    const Decision decision = strategy->next(tree, capacity);
    finished = decision.finished;
    stopped = decision.stopped;
    if (decision.actions.empty()) return {};
    auto decided = core::numbered(tree, decision.actions);
    add(decided);
    return decided.actions;
  }
  void answer(const DecidedAction& act) {
    const Action& action = act.action;
    switch (action.kind) {
      case Action::Kind::write:
        return write(act);
      case Action::Kind::probe:
        return add(core::Probed{act.number, action.intent, {{{"x", 1}}, ""}});
      case Action::Kind::explain:
        return add(
            core::Profiled{act.number, action.basis, {"p", core::Bound::memory, "main", ""}});
      case Action::Kind::ask:
        return answer_role(act);
      default:
        return;
    }
  }
  // Decides and answers until nothing more is decided.
  void play(int most = 1000) {
    for (int i = 0; i < most; ++i) {
      const auto actions = decide();
      if (actions.empty()) return;
      for (const auto& act : actions) answer(act);
    }
  }
  std::vector<const DecidedAction*> of_kind(Action::Kind kind) const {
    std::vector<const DecidedAction*> list;
    for (const auto& act : tree.actions)
      if (act.action.kind == kind) list.push_back(&act);
    return list;
  }

  std::unique_ptr<Strategy> strategy;
  core::Tree tree;
  std::string finished, stopped;
  std::function<double(const core::Node&)> seconds = [](const core::Node&) {
    return 1.0;
  };  // 0: wrong, -1: unusable
  bool usable_selector = true, usable_designer = true;
  core::NodeId selected = 1;

 private:
  void write(const DecidedAction& act) {
    const core::Node node = *tree.node(act.node);
    const double time = seconds(node);
    if (time == -2) return add(core::NotWritten{act.node, false, "no answer", {}});
    if (time < 0) return add(core::NotWritten{act.node, true, "no code", {}});
    add(core::Written{act.node, "c" + std::to_string(act.node), "a.cu", "m", "", {}});
    std::optional<core::ComparedWith> compared;
    if (const core::Node* rival = tree.node(node.rival); rival != nullptr && time > 0)
      compared = core::ComparedWith{
          node.rival,
          "x",
          time / rival->seconds(),
          {},
          time < rival->seconds() ? core::Comparison::faster : core::Comparison::slower};
    add(core::Judged{act.node, time > 0 ? verdict(time) : refusal(), {}, compared});
  }
  void answer_role(const DecidedAction& act) {
    if (act.action.role == core::Role::selector && usable_selector)
      return add(core::Answered{act.number, core::Selection{selected, 0, ""}, {}, {}});
    if (act.action.role == core::Role::learner)
      return add(core::Answered{act.number, {}, {}, core::Lesson{}});
    if (act.action.role != core::Role::designer || !usable_designer)
      return add(core::Failed{act.number, "nonsense"});
    core::Design design;
    for (int i = 0; i < 5; ++i)
      design.experiments.push_back({.description = std::to_string(i),
                                    .gain_low = double(i),
                                    .gain_high = 10.0 - i,
                                    .innovation = i == 2 ? 90.0 : 0});
    add(core::Answered{act.number, {}, design, {}});
  }
};

StrategySettings usual(int candidates) {
  StrategySettings settings;
  settings.max_candidates = candidates;
  settings.translates = true;
  settings.stop_at_ceiling = 0;
  return settings;
}

std::vector<std::string> steps(const std::vector<DecidedAction>& actions) {
  std::vector<std::string> list;
  for (const auto& act : actions)
    list.push_back(std::string(core::name_of(act.action.kind)) +
                   (act.action.kind == Action::Kind::ask
                        ? " " + std::string(core::name_of(act.action.role))
                        : "") +
                   (act.node != 0 ? " " + std::to_string(act.node) : ""));
  return list;
}

TEST(ScientistStrategy, GoesThroughAGenerationInItsOrder) {
  Played run("scientist", usual(8));
  run.seed(1);
  auto first = run.decide();
  EXPECT_THAT(steps(first), ElementsAre("write 2"));
  EXPECT_EQ(first[0].action.place.origin, Origin::translation);
  EXPECT_THAT(run.decide(), IsEmpty()) << "it waits for the translation";
  run.answer(first[0]);
  for (const char* step : {"promote", "ask selector", "explain", "ask designer"}) {
    const auto actions = run.decide();
    EXPECT_THAT(steps(actions), ElementsAre(step));
    if (actions[0].action.kind != Action::Kind::promote) {
      EXPECT_THAT(run.decide(), IsEmpty()) << "it waits for " << step;
    }
    run.answer(actions[0]);
  }
  const auto written = run.decide();
  EXPECT_THAT(steps(written), ElementsAre("write 3", "write 4", "write 5"));
  EXPECT_EQ(written[0].action.taken_as, "most innovative");
  EXPECT_EQ(run.tree.intent(written[1].action.intent)->experiment.gain_high, 10);
  run.answer(written[0]);
  run.answer(written[1]);
  EXPECT_THAT(run.decide(), IsEmpty()) << "a generation is over when all of it is judged";
  run.answer(written[2]);
  EXPECT_THAT(steps(run.decide()), ElementsAre("promote"));
  EXPECT_THAT(steps(run.decide()), ElementsAre("ask learner"));
}

TEST(ScientistStrategy, IsAFunctionOfTheTreeAlone) {
  Played run("scientist", usual(20));
  run.seed(1);
  for (int i = 0; i < 30; ++i) {
    const Decision once = run.strategy->next(run.tree, {16, 1}),
                   again = run.strategy->next(run.tree, {16, 1});
    ASSERT_EQ(once.actions.size(), again.actions.size());
    for (std::size_t k = 0; k < once.actions.size(); ++k) {
      EXPECT_EQ(once.actions[k].kind, again.actions[k].kind);
      EXPECT_EQ(once.actions[k].place, again.actions[k].place);
      EXPECT_EQ(once.actions[k].basis, again.actions[k].basis);
    }
    for (const auto& act : run.decide()) run.answer(act);
  }
}

TEST(ScientistStrategy, AsksForAllFirstAttemptsAtOnceInsideItsCapacityAndBudget) {
  StrategySettings settings = usual(4);
  settings.attempts = 6;
  Played run("scientist", settings);
  run.seed(1);
  EXPECT_EQ(run.decide({2, 1}).size(), 2u) << "as many as may be in flight";
  EXPECT_EQ(run.decide({16, 1}).size(), 2u) << "four candidates were allowed";
  EXPECT_THAT(run.decide(), IsEmpty());
}

TEST(ScientistStrategy, RepairsWhatFailedUntilItsTriesAreSpent) {
  Played run("scientist", usual(20));
  run.seed(1);
  run.seconds = [](const core::Node& node) {
    if (node.place.generation == 0) return 1.0;
    if (node.place.index == 1) return 0.0;  // always wrong
    return node.place.index == 2 && node.place.attempt == 1 ? -1.0
                                                            : 2.0;  // one answer without code
  };
  run.play(12);
  std::map<int, std::vector<int>> attempts;
  for (const auto& node : run.tree.nodes)
    if (node.place.generation == 1) attempts[node.place.index].push_back(node.place.attempt);
  EXPECT_THAT(attempts[1], ElementsAre(1, 2, 3));
  EXPECT_THAT(attempts[2], ElementsAre(1, 2));
  EXPECT_THAT(attempts[3], ElementsAre(1));
  for (const auto& node : run.tree.nodes)
    if (node.place.attempt > 1) {
      const core::Node& before = *run.tree.node(node.repairs);
      EXPECT_EQ(before.place.attempt, node.place.attempt - 1);
      EXPECT_EQ(before.intent, node.intent) << "the experiment stays";
      EXPECT_EQ(before.basis, node.basis);
    }
}

TEST(ScientistStrategy, DoesNotRepairWhatIsUndecidedOrHadNoAnswer) {
  Played run("scientist", usual(20));
  run.seed(1);
  const auto translation = run.decide();
  run.add(core::Written{2, "c2", "a.cu", "m", "", {}});
  core::Verdict undecided = refusal();
  undecided.outcome = core::Outcome::undecided;
  run.add(core::Judged{2, undecided, {}, {}});
  EXPECT_THAT(steps(run.decide()), ElementsAre("promote"));
}

TEST(ScientistStrategy, PromotesTheFastestThatBeatTheIncumbentSideBySide) {
  Played run("scientist", usual(7));
  run.seed(1);
  run.seconds = [](const core::Node& node) {
    return node.place.generation == 0 ? 1.5 : 1.1 - 0.1 * node.place.index;
  };
  run.play();
  ASSERT_GE(run.tree.promotions.size(), 2u);
  EXPECT_EQ(run.tree.promotions[0].node, 1);
  EXPECT_EQ(run.tree.node(run.tree.promotions[1].node)->place.index, 3) << "0.8 of the seed's time";
  EXPECT_THAT(run.tree.promotions[1].because, HasSubstr("0.8000 of the time of 00001"));
  EXPECT_EQ(run.strategy->best(run.tree), run.tree.promotions.back().node);
}

TEST(ScientistStrategy, WithoutComparisonsGoesByTheTimesThatAreTold) {
  StrategySettings settings = usual(4);
  settings.compares = settings.explains = false;
  Played run("scientist", settings);
  run.seed(1);
  run.seconds = [](const core::Node& node) { return node.place.generation == 0 ? 2.0 : 0.5; };
  run.play();
  EXPECT_THAT(run.of_kind(Action::Kind::explain), IsEmpty());
  EXPECT_THAT(run.tree.promotions.back().because, HasSubstr("as its evaluator says"));
}

TEST(ScientistStrategy, GoesOnByRuleWhereSelectorAndDesignerAreOfNoUse) {
  Played run("scientist", usual(4));
  run.seed(1);
  run.usable_selector = run.usable_designer = false;
  run.play();
  const auto written = run.of_kind(Action::Kind::write);
  ASSERT_EQ(written.size(), 4u);
  EXPECT_EQ(written[1]->action.basis, 1) << "the incumbent";
  EXPECT_EQ(written[1]->action.reference, 2) << "the fastest that is no relative of it";
  EXPECT_THAT(run.tree.intent(written[1]->action.intent)->experiment.description,
              HasSubstr("Make the basis faster"));
}

TEST(ScientistStrategy, EndsWhereItsCandidatesAreSpentAfterTheLastWereJudgedAndLearnedFrom) {
  Played run("scientist", usual(5));
  run.seed(1);
  run.play();
  EXPECT_EQ(run.finished, "5 candidates were allowed");
  EXPECT_EQ(core::places_taken(run.tree), 5);
  EXPECT_EQ(run.tree.actions.back().action.role, core::Role::learner);
  EXPECT_FALSE(core::incumbent_of(run.tree) == nullptr);
}

TEST(ScientistStrategy, GoesOnWithTheNextGenerationWhenMoreIsAllowed) {
  Played run("scientist", usual(5));
  run.seed(1);
  run.play();
  run.add(core::Resumed{});
  run.strategy = make_strategy("scientist", usual(8));
  EXPECT_THAT(steps(run.decide()), ElementsAre("ask selector"))
      << "the generation that was promoted is over";
}

TEST(ScientistStrategy, StopsAfterFlatGenerationsAndAtTheCeiling) {
  StrategySettings settings = usual(0);
  settings.stop_after_flat = 2;
  Played flat("scientist", settings);
  flat.seed(1);
  flat.seconds = [](const core::Node&) { return 2.0; };
  flat.play();
  EXPECT_EQ(flat.finished, "2 generations brought no gain");
  settings.stop_at_ceiling = 0.95;
  Played high("scientist", settings);
  high.seed(0.1);  // the whole ceiling
  high.play();
  EXPECT_EQ(high.finished, "the incumbent reached 95 % of the measured ceiling");
}

TEST(ScientistStrategy, MakesAFirstKernelWhereThereIsNone) {
  StrategySettings settings = usual(20);
  settings.translates = false;
  Played run("scientist", settings);
  run.seconds = [](const core::Node& node) { return node.place.index < 2 ? 0.0 : 1.0; };
  run.play(8);
  EXPECT_EQ(run.tree.nodes[0].place.origin, Origin::bootstrap);
  EXPECT_EQ(core::incumbent_of(run.tree)->place.index, 2);
  Played refused("scientist", settings);
  refused.seconds = [](const core::Node&) { return 0.0; };
  refused.play();
  EXPECT_THAT(refused.finished, HasSubstr("no first candidate was accepted"));
  EXPECT_EQ(refused.tree.nodes.size(), 9u) << "three answers to each of three questions";
}

TEST(ScientistStrategy, StopsWhereNoWriterAnswersAndTriesAgainWhenItIsResumed) {
  StrategySettings settings = usual(20);
  settings.translates = false;
  Played run("scientist", settings);
  run.seconds = [](const core::Node&) { return -2.0; };
  run.play();
  EXPECT_THAT(run.stopped, HasSubstr("no writer gave an answer"));
  EXPECT_EQ(core::places_taken(run.tree), 0);
  run.add(core::Resumed{});
  EXPECT_EQ(run.decide().size(), 1u);
}

TEST(OneShotStrategy, MakesIndependentFirstAttemptsAndPromotesTheBest) {
  Played run("oneshot", usual(5));
  run.seed(1);
  run.seconds = [](const core::Node& node) {
    return node.place.index == 4 ? 0.5 : node.place.index == 2 ? 0.0 : 2.0;
  };
  run.play();
  EXPECT_EQ(run.finished, "5 candidates were allowed");
  EXPECT_THAT(run.of_kind(Action::Kind::ask), IsEmpty());
  const auto written = run.of_kind(Action::Kind::write);
  EXPECT_EQ(written.size(), 5u) << "nothing is repaired";
  for (const auto* act : written) EXPECT_EQ(act->action.basis, 0);
  EXPECT_EQ(run.tree.node(core::incumbent_of(run.tree)->number)->place.index, 4);
}

TEST(OneShotStrategy, KeepsAsManyInFlightAsItMay) {
  StrategySettings settings = usual(0);
  Played run("oneshot", settings);
  EXPECT_EQ(run.decide({3, 1}).size(), 3u);
  EXPECT_THAT(run.decide({0, 1}), IsEmpty());
  EXPECT_EQ(run.decide({2, 1}).size(), 2u);
}

TEST(Strategies, AreNamedInTheErrorThatRefusesAnother) {
  try {
    make_strategy("annealing", {});
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("scientist, mcts, greedy or oneshot"));
  }
}

}  // namespace
}  // namespace hone::search
