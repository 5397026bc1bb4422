#include "run/old_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "run/journal.h"
#include "run/old_run_example.h"
#include "run/status.h"

namespace hone::run {
namespace {

using core::Node;
using core::Origin;
using example::OldExampleRun;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct ARunOfBefore : ::testing::Test {
  store::testing::Fixture f;

  core::Tree tree(const OldExampleRun& example) { return tree_of(f.archive, example.run); }
  // A run with nothing but these decisions.
  std::string run_with(const std::vector<std::pair<std::string, std::string>>& decisions) {
    store::record_task(f.archive, store::testing::a_task());
    store::ResearchRun begun;
    begun.task = store::testing::a_task().hash;
    begun.settings = "not json";
    const std::string run = store::begin_run(f.archive, begun);
    for (const auto& [name, body] : decisions) store::decide_once(f.archive, run, name, body);
    return run;
  }
};

TEST_F(ARunOfBefore, IsTheTreeThatItsMembersMake) {
  const OldExampleRun example(f.archive);
  const core::Tree read = tree(example);
  ASSERT_EQ(read.nodes.size(), 6u);
  std::vector<core::NodeId> bases, references, repaired;
  std::vector<core::IntentId> intents;
  for (const Node& node : read.nodes) {
    EXPECT_EQ(node.state, Node::State::judged) << node.number;
    EXPECT_EQ(node.candidate,
              example.candidates.at(static_cast<std::size_t>(node.number) - 1).line.hash);
    EXPECT_EQ(node.name, std::to_string(node.number) + ".cl");
    bases.push_back(node.basis);
    references.push_back(node.reference);
    repaired.push_back(node.repairs);
    intents.push_back(node.intent);
  }
  EXPECT_THAT(bases, ElementsAre(0, 0, 1, 1, 1, 3));
  EXPECT_THAT(references, ElementsAre(0, 0, 0, 0, 0, 1));
  EXPECT_THAT(repaired, ElementsAre(0, 0, 0, 0, 4, 0));
  EXPECT_THAT(intents, ElementsAre(0, 0, 1, 2, 2, 3));
  EXPECT_EQ(read.nodes[0].place, (core::NodePosition{Origin::task_seed, 0, 0, 1}));
  EXPECT_EQ(read.nodes[1].place, (core::NodePosition{Origin::translation, 0, 1, 1}));
  EXPECT_EQ(read.nodes[4].place, (core::NodePosition{Origin::experiment, 1, 2, 2}));
  EXPECT_EQ(read.nodes[5].report, example::report);
  EXPECT_EQ(read.nodes[5].cost.calls, 2);
  EXPECT_DOUBLE_EQ(read.nodes[5].cost.usd, 0.125);
}

TEST_F(ARunOfBefore, HasItsVerdictsAndTheLastCertificateOfItsBest) {
  const OldExampleRun example(f.archive);
  const core::Tree read = tree(example);
  EXPECT_DOUBLE_EQ(read.nodes[2].seconds(), 0.8e-3);
  EXPECT_EQ(read.nodes[4].verdict->outcome, core::Outcome::wrong);
  EXPECT_EQ(read.nodes[4].verdict->guard, "tolerance");
  const Node& best = read.nodes[5];
  EXPECT_DOUBLE_EQ(best.seconds(), 0.5e-3);
  EXPECT_EQ(best.certified->evaluation, example.certified);
  EXPECT_TRUE(best.final);
  const auto* beside_seed = core::comparison_of(best, 1);
  ASSERT_NE(beside_seed, nullptr);
  EXPECT_EQ(beside_seed->comparison, example.comparison);
  EXPECT_DOUBLE_EQ(beside_seed->ratio, 0.5);
}

TEST_F(ARunOfBefore, HasWhatItsModelsAnsweredAndWhatWasDecided) {
  const OldExampleRun example(f.archive);
  const core::Tree read = tree(example);
  std::vector<std::string> asked;
  for (const core::DecidedAction& act : read.actions) {
    EXPECT_EQ(act.state, core::DecidedAction::State::done) << act.number;
    if (act.action.kind == core::Action::Kind::ask)
      asked.push_back(std::to_string(act.action.generation) + " " +
                      std::string(core::name_of(act.action.role)));
    if (act.selection) {
      EXPECT_EQ(act.selection->rationale, "It is the fastest.");
    }
    if (act.lesson) {
      EXPECT_THAT(act.lesson->disagreements, ElementsAre(example::disagreement));
    }
  }
  EXPECT_THAT(asked, ElementsAre("1 designer", "1 learner", "2 selector", "2 designer"))
      << "the first was selected by rule";
  ASSERT_EQ(read.intents.size(), 3u);
  EXPECT_EQ(read.intents[2].experiment.description, "Load *four* values at once");
  EXPECT_EQ(read.intents[2].experiment.gain_high, 50);
  EXPECT_EQ(read.intents[2].taken_as, example::taken_as);
  EXPECT_EQ(core::state_of(read, read.intents[2]), core::Intent::State::confirmed);
  EXPECT_EQ(core::state_of(read, read.intents[1]), core::Intent::State::open);
  ASSERT_EQ(read.promotions.size(), 3u);
  EXPECT_EQ(read.promotions[2].node, 6);
  EXPECT_EQ(read.promotions[2].because, "faster than 00003");
  EXPECT_EQ(read.nodes[5].rival, 3) << "the incumbent when it was written";
  EXPECT_EQ(read.conclusion->best, 6);
  EXPECT_EQ(read.conclusion->seed, 1);
  EXPECT_EQ(read.conclusion->comparison, example.comparison);
  EXPECT_EQ(read.conclusion->text, example::conclusion);
  const auto status = status_of(read, example.run);
  EXPECT_EQ(status.best, 6);
  EXPECT_EQ(status.accepted, 3);
  EXPECT_EQ(status.failed, 3);
}

TEST_F(ARunOfBefore, ThatWasKilledIsReadAsFarAsItCame) {
  const OldExampleRun example(f.archive, "scientist", false);
  const core::Tree read = tree(example);
  EXPECT_EQ(core::incumbent_of(read)->number, 6);
  EXPECT_FALSE(read.nodes[5].certified);
  EXPECT_FALSE(read.conclusion);
}

TEST_F(ARunOfBefore, KnowsAnswersThatCameToNoCandidate) {
  OldExampleRun example(f.archive);
  example.decide("g002/writer-2/try-1/unusable", R"({"why": "There is no code in it."})");
  const core::Tree read = tree(example);
  ASSERT_EQ(read.nodes.size(), 7u);
  EXPECT_EQ(read.nodes[6].state, Node::State::unusable);
  EXPECT_EQ(read.nodes[6].failure, "There is no code in it.");
  EXPECT_EQ(read.nodes[6].place, (core::NodePosition{Origin::experiment, 2, 2, 1}));
  EXPECT_EQ(core::places_taken(read), 6) << "it took its place";
}

TEST_F(ARunOfBefore, KnowsTheAnswersOfItsRolesThatWereOfNoUse) {
  OldExampleRun example(f.archive);
  const std::string complaint = R"({"why": "There is no JSON in it."})";
  for (const char* step :
       {"g001/selector/try-1", "g001/selector/try-2", "g001/designer/try-1", "g001/learner/try-2"})
    example.decide(std::string(step) + "/unusable", complaint);
  const core::Tree read = tree(example);
  std::vector<std::string> found;
  for (const auto& record : records_of(f.archive, example.run))
    if (const auto* unusable = std::get_if<core::Unusable>(&record)) {
      const auto& act = read.actions.at(static_cast<std::size_t>(unusable->action) - 1);
      found.push_back(question_name(act, unusable->turn));
      EXPECT_EQ(unusable->why, "There is no JSON in it.");
    }
  EXPECT_THAT(found, ElementsAre("g001/selector/try-1", "g001/selector/try-2",
                                 "g001/designer/try-1", "g001/learner/try-2"));
  EXPECT_EQ(std::count_if(read.actions.begin(), read.actions.end(),
                          [](const core::DecidedAction& act) {
                            return act.state == core::DecidedAction::State::failed;
                          }),
            1)
      << "the selector: the rule chose";
}

TEST_F(ARunOfBefore, KnowsItsProbes) {
  OldExampleRun example(f.archive);
  const core::Experiment fast{.kind = core::Experiment::Kind::probe, .description = "How fast?"},
      wide{.kind = core::Experiment::Kind::probe, .description = "How wide?"};
  std::vector<base::RawJson> experiments;
  for (const auto& one : {fast, wide}) experiments.push_back({OldExampleRun::json_of(one, "")});
  example.decide("g003/selection", R"({"basis": 6})");
  example.decide("g003/design", OldExampleRun::design_of({"measure"}, experiments, {"a note"}));
  for (int index : {1, 2}) example.experiment(3, index, index == 1 ? fast : wide);
  example.decide("g003/writer-1/probe", R"({"numbers": {"GB/s": 4000.0}})");
  example.decide("g003/writer-2/try-1/unusable", R"({"why": "no code"})");
  example.decide("g003/writer-2/try-2/unusable", R"({"why": "no labels"})");
  const core::Tree read = tree(example);
  ASSERT_EQ(read.intents.size(), 5u);
  EXPECT_EQ(read.intents[3].basis, 6);
  ASSERT_TRUE(read.intents[3].probed);
  EXPECT_EQ(read.intents[3].probed->numbers.at(0).first, "GB/s");
  EXPECT_DOUBLE_EQ(read.intents[3].probed->numbers.at(0).second, 4000);
  EXPECT_FALSE(read.intents[4].probed);
  EXPECT_EQ(read.actions.back().state, core::DecidedAction::State::failed);
  EXPECT_EQ(read.actions.back().failure, "no labels") << "the last complaint";
  const auto records = records_of(f.archive, example.run);
  EXPECT_EQ(std::count_if(
                records.begin(), records.end(),
                [](const auto& record) { return std::holds_alternative<core::Unusable>(record); }),
            2);
  EXPECT_EQ(read.nodes.size(), 6u) << "a probe is no node";
}

TEST_F(ARunOfBefore, KnowsTheProfilesOfItsBases) {
  OldExampleRun example(f.archive);
  example.decide("profile/00003", R"({"profile": "p123"})");
  example.decide("g002/profile", R"({"member": 3,"profile": "p123"})");
  example.decide("g003/profile", R"({"member": 6,"failure": "no counters"})");
  const core::Tree read = tree(example);
  EXPECT_EQ(read.nodes[2].profile->profile, "p123");
  EXPECT_EQ(read.nodes[5].profile->profile, "");
  EXPECT_EQ(read.nodes[5].profile->failure, "no counters");
}

TEST_F(ARunOfBefore, HasTheSettingsThatItWasResumedWithLast) {
  OldExampleRun example(f.archive);
  example.decide("settings/1", R"({"width": 2})");
  example.decide("settings/2", R"({"width":4})");
  EXPECT_EQ(tree(example).settings, R"({"width":4})");
}

TEST_F(ARunOfBefore, OfWhichNothingIsKnownButItsBeginningIsEmpty) {
  const core::Tree read = tree_of(f.archive, run_with({{"g001/selection", "null"}}));
  EXPECT_THAT(read.nodes, IsEmpty());
  EXPECT_THAT(read.actions, IsEmpty());
}

TEST_F(ARunOfBefore, ThatIsDamagedIsReadWithoutWhatMakesNoSense) {
  const core::Tree read =
      tree_of(f.archive, run_with({{"result", R"([{"best":"six"}])"},
                                   {"g001/selection", R"({"basis":7})"},
                                   {"g001/design", R"({"avenues":7,"experiments":[null,7]})"},
                                   {"g001/profile", R"({"member":"one"})"},
                                   {"g001/lesson", "[]"},
                                   {"g002/lesson", R"({"findings":{},"disagreements":[1]})"},
                                   {"incumbent/001", R"({"member":99})"},
                                   {"final/00099", R"({"evaluation":"e1"})"},
                                   {"final/six", "no JSON"},
                                   {"g-1/lesson", "{}"},
                                   {"nonsense", "null"}}));
  EXPECT_THAT(read.nodes, IsEmpty());
  EXPECT_THAT(read.promotions, IsEmpty());
  EXPECT_FALSE(read.conclusion);
}

TEST_F(ARunOfBefore, WhoseDecisionsNameMembersThatItDoesNotHaveIsReadWithoutThem) {
  OldExampleRun example(f.archive, "scientist", false);
  example.decide("g003/selection", R"({"basis": 77,"reference": 3,"by": "model"})");
  example.decide("g003/profile", R"({"member": -1})");
  example.decide("g003/design", "null");
  example.decide("incumbent/003", R"({"member": 0})");
  example.decide("result/00077", R"({"best": 77,"seed": 1})");
  const core::Tree read = tree(example);
  EXPECT_EQ(read.promotions.size(), 3u);
  EXPECT_EQ(read.intents.size(), 3u);
  for (const core::DecidedAction& act : read.actions) EXPECT_LT(act.action.generation, 3);
}

TEST_F(ARunOfBefore, IsNotGoneOnWith) {
  const OldExampleRun example(f.archive);
  EXPECT_TRUE(is_old_run(f.archive, example.run));
  EXPECT_FALSE(has_journal(f.archive, example.run));
  SharedArchive shared(f.archive);
  try {
    Journal journal(shared, example.run);
    ADD_FAILURE() << "it was opened";
  } catch (const base::Error& error) {
    EXPECT_EQ(error.code(), base::ExitCode::bad_input);
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("run " + example.run + " was made by an earlier hone"),
                      HasSubstr("hone best " + example.run)));
  }
}

TEST(StepsOfBefore, AreThePlacesThatTheyName) {
  const auto place = [](const std::string& step) {
    return place_of_step(step).value_or(core::NodePosition{Origin::experiment, -1});
  };
  EXPECT_EQ(place("seed/given-seed"), (core::NodePosition{Origin::task_seed, 0, 0, 1}));
  EXPECT_EQ(place("seed/given-1"), (core::NodePosition{Origin::user_seed, 0, 1, 1}));
  EXPECT_EQ(place("seed/given-other.c"), (core::NodePosition{Origin::task_seed, 0, 0, 1}))
      << "of an external task";
  EXPECT_EQ(place("seed/translation/try-3"), (core::NodePosition{Origin::translation, 0, 1, 3}));
  EXPECT_EQ(place("seed/attempt-2/try-1"), (core::NodePosition{Origin::attempt, 0, 2, 1}));
  EXPECT_EQ(place("seed/bootstrap-1/try-2"), (core::NodePosition{Origin::bootstrap, 0, 1, 2}));
  EXPECT_EQ(place("g001/oneshot-017/try-1"), (core::NodePosition{Origin::one_shot, 1, 17, 1}));
  EXPECT_EQ(place("g012/writer-3/try-2"), (core::NodePosition{Origin::experiment, 12, 3, 2}));
  for (const char* none : {"", "g001/selection", "g001/writer-1", "g001/writer-1/try-1/unusable",
                           "seed/", "g/writer-/try-"})
    EXPECT_FALSE(place_of_step(none)) << none;
}

}  // namespace
}  // namespace hone::run
