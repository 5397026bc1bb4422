#include "report/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "judge/finding.h"
#include "report/summary_example.h"
#include "report/tuning.h"

namespace hone::report {
namespace {

using example::ExampleRun;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct RunSummaryOfARun : ::testing::Test {
  store::testing::Fixture f;
};

TEST_F(RunSummaryOfARun, HasTheResultThatTheLoopRecorded) {
  const ExampleRun example(f.archive);
  const RunSummary summary = load_summary(f.archive, example.run.substr(0, 8));
  EXPECT_EQ(summary.run.id, example.run);
  EXPECT_EQ(summary.settings.strategy, "scientist");
  EXPECT_EQ(summary.settings.models.at("writer"), "anthropic:m-2");
  EXPECT_EQ(summary.settings.budget.usd, 5);
  EXPECT_EQ(summary.best, 6);
  EXPECT_EQ(summary.seed, 1);
  EXPECT_EQ(summary.tree.conclusion->text, "00006 is faster");
  ASSERT_NE(best_evaluation(summary), nullptr);
  EXPECT_EQ(best_evaluation(summary)->id, example.certified);
  ASSERT_TRUE(summary.compared);
  EXPECT_EQ(summary.compared->id, example.comparison);
  EXPECT_DOUBLE_EQ(*times_as_fast(summary), 2.0);
  ASSERT_EQ(selections(summary).size(), 2u);
  EXPECT_FALSE(selections(summary)[0].by_model);
  EXPECT_EQ(selections(summary)[1].rationale, "It is the fastest.");
  EXPECT_EQ(selections(summary)[1].basis, 3);
  EXPECT_EQ(lessons(summary).at(0)->disagreements.size(), 1u);
  EXPECT_EQ(summary.findings.at(0).id, example.finding);
}

TEST_F(RunSummaryOfARun, FindsTheBestOfARunThatWasKilled) {
  const ExampleRun example(f.archive, "scientist", false);
  const RunSummary summary = load_summary(f.archive, example.run);
  EXPECT_EQ(summary.best, 6);
  EXPECT_EQ(summary.seed, 1);
  EXPECT_EQ(best_evaluation(summary)->evaluation.key.depth, core::Depth::screen);
  EXPECT_FALSE(summary.compared);
  EXPECT_DOUBLE_EQ(*times_as_fast(summary), 2.0);
}

TEST_F(RunSummaryOfARun, DoesNotCallAMemberTheBestThatFailedCertification) {
  ExampleRun example(f.archive, "scientist", false);
  core::Evaluation e =
      store::testing::an_evaluation(store::testing::a_task(), example.candidates.back(), {});
  e.key.depth = core::Depth::certify;
  e.outcome = core::Outcome::wrong;
  e.geomean.reset();
  const std::string id = store::record_evaluation(f.archive, e, "H200");
  example.journal().append(core::Certified{6, core::verdict_of(e, id), {}});
  example.journal().append(core::Concluded{{.best = 6, .seed = 1}});
  EXPECT_EQ(load_summary(f.archive, example.run).best, 3);
}

TEST_F(RunSummaryOfARun, DoesNotTakeAPointThatATunerGaveUpForARefusal) {
  const ExampleRun example(f.archive);
  core::Evaluation e =
      store::testing::an_evaluation(store::testing::a_task(), example.candidates.back(), {});
  e.key.depth = core::Depth::certify;
  e.geomean.reset();
  e.evidence.clear();
  judge::add(e, judge::stopped_early("prime"));
  store::record_evaluation(f.archive, e, "H200");
  EXPECT_EQ(load_summary(f.archive, example.run).best, 6)
      << "store::standing_evaluations knows the words of the judge";
  judge::add(e, judge::in_case("prime", judge::rejection("The plan does not fit the task.")));
  store::record_evaluation(f.archive, e, "H200");
  EXPECT_EQ(load_summary(f.archive, example.run).best, 3);
}

TEST_F(RunSummaryOfARun, FollowsTheBestBackToItsSeedWithPredictionsAndWhatCameOfThem) {
  const ExampleRun example(f.archive);
  const RunSummary summary = load_summary(f.archive, example.run);
  const auto line = lineage(summary);
  ASSERT_EQ(line.size(), 3u);
  EXPECT_EQ(line[0]->number, 1);
  EXPECT_EQ(line[1]->number, 3);
  EXPECT_EQ(line[2]->number, 6);
  EXPECT_FALSE(gain_of(summary, *line[0]));
  EXPECT_NEAR(*gain_of(summary, *line[1]), 20, 1e-9);
  EXPECT_NEAR(*gain_of(summary, *line[2]), 37.5, 1e-9);
  EXPECT_EQ(experiment_of(summary, *line[2])->gain_high, 50);
}

TEST_F(RunSummaryOfARun, TellsWhatTuningAddedBesideWriting) {
  ExampleRun example(f.archive);
  EXPECT_EQ(tuning_markdown(load_summary(f.archive, example.run)), "") << "nothing was tuned";
  RunSummary summary = load_summary(f.archive, example.run);
  summary.settings.tune_evals = 200;
  core::Tuning& best = summary.tree.nodes[5].tuning.emplace();
  best.points = 12;
  best.before = 0.625e-3;
  best.after = 0.5e-3;
  best.point = {{"TILE", 32}};
  best.comparison = "x";
  best.ratio = 0.8;
  best.interval = {0.79, 0.81};
  best.ended = "12 points were allowed";
  summary.tree.nodes[2].tuning.emplace().points = 8;
  const TuningTotals totals = tuning_totals(summary);
  EXPECT_EQ(totals.points, 20);
  EXPECT_EQ(totals.candidates, 2);
  EXPECT_EQ(totals.changed, 1);
  EXPECT_EQ(totals.most_for, 6);
  EXPECT_DOUBLE_EQ(*totals.most_times, 1.25);
  EXPECT_DOUBLE_EQ(*totals.best_by_tuning, 1.25);
  EXPECT_DOUBLE_EQ(*totals.best_by_writing, 1.6) << "of 2.0 in all";
  const std::string text = tuning_markdown(summary);
  EXPECT_THAT(text, HasSubstr("20 points of at most 200 measured for 2 candidates; 1 got new"));
  EXPECT_THAT(text, HasSubstr("TILE=32"));
  EXPECT_THAT(text, HasSubstr("as written"));
}

TEST_F(RunSummaryOfARun, GroupsFailuresByTheirReason) {
  const ExampleRun example(f.archive);
  const auto groups = failures(load_summary(f.archive, example.run));
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].outcome, "wrong");
  EXPECT_EQ(groups[0].reason, "tolerance");
  EXPECT_THAT(groups[0].nodes, ElementsAre(2, 5));
  EXPECT_EQ(groups[1].outcome, "build_failed");
  EXPECT_THAT(groups[1].example, HasSubstr("no such thing"));
}

TEST_F(RunSummaryOfARun, TellsWhatNeverBecameACandidate) {
  ExampleRun example(f.archive);
  core::NodePosition place{.origin = core::Origin::experiment, .generation = 3, .index = 3};
  for (const char* why : {"There is no code in it.", "There are two files in it."}) {
    const auto decided = core::numbered(
        example.journal().tree(),
        {{.kind = core::Action::Kind::write, .generation = 3, .basis = 6, .place = place}});
    example.journal().append(decided);
    example.journal().append(core::NotWritten{decided.actions[0].node, true, why, {}});
    ++place.attempt;
  }
  place = {.origin = core::Origin::experiment, .generation = 3, .index = 4};
  const auto probe = core::numbered(example.journal().tree(), {{.kind = core::Action::Kind::probe,
                                                                .generation = 3,
                                                                .experiment = core::Experiment(),
                                                                .place = place}});
  const auto action = probe.actions[0].number;
  example.journal().append(probe);
  example.journal().append(core::Unusable{action, 1, "There are no labels in it."});
  example.journal().append(
      core::Probed{action, probe.actions[0].action.intent, {{}, "It did not build."}});
  const auto call = store::begin_call(
      f.archive, {example.run, "g001/designer/try-1", "designer", "m", "", "p", 0});
  store::end_call(f.archive, call, {.text = "I will not.", .fault = "refused"});
  const auto groups = missed(load_summary(f.archive, example.run, true));
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_THAT(groups[0].steps,
              ElementsAre("g003/writer-4/try-1", "g003/writer-3/try-1", "g003/writer-3/try-2"));
  EXPECT_EQ(groups[0].example, "There are no labels in it.");
  EXPECT_EQ(groups[1].what, "probe without numbers");
  EXPECT_THAT(groups[1].steps, ElementsAre("g003/writer-4"));
  EXPECT_EQ(groups[2].what, "refused");
  EXPECT_EQ(groups[2].example, "I will not.");
}

TEST_F(RunSummaryOfARun, SumsCostsByRole) {
  const ExampleRun example(f.archive);
  const RunSummary summary = load_summary(f.archive, example.run, true);
  ASSERT_EQ(summary.roles.size(), 3u);
  const RoleSpending& writer = summary.roles[2];
  EXPECT_EQ(writer.role, "writer");
  EXPECT_EQ(writer.spending.calls, 2);
  EXPECT_EQ(writer.spending.answered, 1);
  EXPECT_DOUBLE_EQ(writer.spending.usd, 0.5 + 0.125) << "one was lost in flight";
  EXPECT_THAT(writer.prompt_tokens, ElementsAre(1000, 1200));
  EXPECT_TRUE(writer.estimated);
  double sum = 0;
  for (const RoleSpending& role : summary.roles) sum += role.spending.usd;
  EXPECT_DOUBLE_EQ(sum, summary.spending.usd);
}

TEST_F(RunSummaryOfARun, ToleratesARunOfWhichNothingIsKnownButItsBeginning) {
  store::record_task(f.archive, store::testing::a_task());
  store::ResearchRun begun;
  begun.task = store::testing::a_task().hash;
  begun.settings = "not json";
  const std::string run = store::begin_run(f.archive, begun);
  const RunSummary summary = load_summary(f.archive, run);
  EXPECT_EQ(summary.best, 0);
  EXPECT_FALSE(times_as_fast(summary));
  EXPECT_EQ(best_evaluation(summary), nullptr);
  EXPECT_THAT(lineage(summary), IsEmpty());
  EXPECT_THAT(failures(summary), IsEmpty());
}

}  // namespace
}  // namespace hone::report
