#include "report/story.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "judge/finding.h"
#include "report/story_example.h"

namespace hone::report {
namespace {

using example::ExampleRun;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct StoryOfARun : ::testing::Test {
  store::testing::Fixture f;
};

TEST_F(StoryOfARun, HasTheResultThatTheLoopRecorded) {
  const ExampleRun example(f.archive);
  const Story story = load_story(f.archive, example.run.substr(0, 8));
  EXPECT_EQ(story.run.id, example.run);
  EXPECT_EQ(story.settings.strategy, "scientist");
  EXPECT_EQ(story.settings.models.at("writer"), "anthropic:m-2");
  EXPECT_EQ(story.settings.budget.usd, 5);
  EXPECT_EQ(story.best, 6);
  EXPECT_EQ(story.seed, 1);
  EXPECT_EQ(story.tree.conclusion->text, "00006 is faster");
  ASSERT_NE(best_evaluation(story), nullptr);
  EXPECT_EQ(best_evaluation(story)->id, example.certified);
  ASSERT_TRUE(story.compared);
  EXPECT_EQ(story.compared->id, example.comparison);
  EXPECT_DOUBLE_EQ(*times_as_fast(story), 2.0);
  ASSERT_EQ(selections(story).size(), 2u);
  EXPECT_FALSE(selections(story)[0].by_model);
  EXPECT_EQ(selections(story)[1].rationale, "It is the fastest.");
  EXPECT_EQ(selections(story)[1].basis, 3);
  EXPECT_EQ(lessons(story).at(0)->disagreements.size(), 1u);
  EXPECT_EQ(story.findings.at(0).id, example.finding);
}

TEST_F(StoryOfARun, FindsTheBestOfARunThatWasKilled) {
  const ExampleRun example(f.archive, "scientist", false);
  const Story story = load_story(f.archive, example.run);
  EXPECT_EQ(story.best, 6);
  EXPECT_EQ(story.seed, 1);
  EXPECT_EQ(best_evaluation(story)->evaluation.key.depth, core::Depth::screen);
  EXPECT_FALSE(story.compared);
  EXPECT_DOUBLE_EQ(*times_as_fast(story), 2.0);
}

TEST_F(StoryOfARun, DoesNotCallAMemberTheBestThatFailedCertification) {
  ExampleRun example(f.archive, "scientist", false);
  core::Evaluation e =
      store::testing::an_evaluation(store::testing::a_task(), example.candidates.back(), {});
  e.key.depth = core::Depth::certify;
  e.outcome = core::Outcome::wrong;
  e.geomean.reset();
  const std::string id = store::record_evaluation(f.archive, e, "H200");
  example.journal().append(core::Certified{6, core::verdict_of(e, id), {}});
  example.journal().append(core::Concluded{{.best = 6, .seed = 1}});
  EXPECT_EQ(load_story(f.archive, example.run).best, 3);
}

TEST_F(StoryOfARun, DoesNotTakeAPointThatATunerGaveUpForARefusal) {
  const ExampleRun example(f.archive);
  core::Evaluation e =
      store::testing::an_evaluation(store::testing::a_task(), example.candidates.back(), {});
  e.key.depth = core::Depth::certify;
  e.geomean.reset();
  e.evidence.clear();
  judge::add(e, judge::stopped_early("prime"));
  store::record_evaluation(f.archive, e, "H200");
  EXPECT_EQ(load_story(f.archive, example.run).best, 6)
      << "store::standing_evaluations knows the words of the judge";
  judge::add(e, judge::in_case("prime", judge::rejection("The plan does not fit the task.")));
  store::record_evaluation(f.archive, e, "H200");
  EXPECT_EQ(load_story(f.archive, example.run).best, 3);
}

TEST_F(StoryOfARun, FollowsTheBestBackToItsSeedWithPredictionsAndWhatCameOfThem) {
  const ExampleRun example(f.archive);
  const Story story = load_story(f.archive, example.run);
  const auto line = lineage(story);
  ASSERT_EQ(line.size(), 3u);
  EXPECT_EQ(line[0]->number, 1);
  EXPECT_EQ(line[1]->number, 3);
  EXPECT_EQ(line[2]->number, 6);
  EXPECT_FALSE(gain_of(story, *line[0]));
  EXPECT_NEAR(*gain_of(story, *line[1]), 20, 1e-9);
  EXPECT_NEAR(*gain_of(story, *line[2]), 37.5, 1e-9);
  EXPECT_EQ(experiment_of(story, *line[2])->gain_high, 50);
}

TEST_F(StoryOfARun, GroupsFailuresByTheirReason) {
  const ExampleRun example(f.archive);
  const auto groups = failures(load_story(f.archive, example.run));
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].outcome, "wrong");
  EXPECT_EQ(groups[0].reason, "tolerance");
  EXPECT_THAT(groups[0].nodes, ElementsAre(2, 5));
  EXPECT_EQ(groups[1].outcome, "build_failed");
  EXPECT_THAT(groups[1].example, HasSubstr("no such thing"));
}

TEST_F(StoryOfARun, TellsWhatNeverBecameACandidate) {
  ExampleRun example(f.archive);
  core::Place place{.origin = core::Origin::experiment, .generation = 3, .index = 3};
  for (const char* why : {"There is no code in it.", "There are two files in it."}) {
    const auto decided = core::numbered(
        example.journal().tree(),
        {{.kind = core::Action::Kind::write, .generation = 3, .basis = 6, .place = place}});
    example.journal().append(decided);
    example.journal().append(core::NotWritten{decided.deeds[0].node, true, why, {}});
    ++place.attempt;
  }
  place = {.origin = core::Origin::experiment, .generation = 3, .index = 4};
  const auto probe = core::numbered(example.journal().tree(), {{.kind = core::Action::Kind::probe,
                                                                .generation = 3,
                                                                .experiment = core::Experiment(),
                                                                .place = place}});
  const auto action = probe.deeds[0].number;
  example.journal().append(probe);
  example.journal().append(core::Unusable{action, 1, "There are no labels in it."});
  example.journal().append(
      core::Probed{action, probe.deeds[0].action.intent, {{}, "It did not build."}});
  const auto call = store::begin_call(
      f.archive, {example.run, "g001/designer/try-1", "designer", "m", "", "p", 0});
  store::end_call(f.archive, call, {.text = "I will not.", .fault = "refused"});
  const auto groups = missed(load_story(f.archive, example.run, true));
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_THAT(groups[0].steps,
              ElementsAre("g003/writer-4/try-1", "g003/writer-3/try-1", "g003/writer-3/try-2"));
  EXPECT_EQ(groups[0].example, "There are no labels in it.");
  EXPECT_EQ(groups[1].what, "probe without numbers");
  EXPECT_THAT(groups[1].steps, ElementsAre("g003/writer-4"));
  EXPECT_EQ(groups[2].what, "refused");
  EXPECT_EQ(groups[2].example, "I will not.");
}

TEST_F(StoryOfARun, SumsCostsByRole) {
  const ExampleRun example(f.archive);
  const Story story = load_story(f.archive, example.run, true);
  ASSERT_EQ(story.roles.size(), 3u);
  const RoleSpending& writer = story.roles[2];
  EXPECT_EQ(writer.role, "writer");
  EXPECT_EQ(writer.spending.calls, 2);
  EXPECT_EQ(writer.spending.answered, 1);
  EXPECT_DOUBLE_EQ(writer.spending.usd, 0.5 + 0.125) << "one was lost in flight";
  EXPECT_THAT(writer.prompt_tokens, ElementsAre(1000, 1200));
  EXPECT_TRUE(writer.estimated);
  double sum = 0;
  for (const RoleSpending& role : story.roles) sum += role.spending.usd;
  EXPECT_DOUBLE_EQ(sum, story.spending.usd);
}

TEST_F(StoryOfARun, ToleratesARunOfWhichNothingIsKnownButItsBeginning) {
  store::record_task(f.archive, store::testing::a_task());
  store::ResearchRun begun;
  begun.task = store::testing::a_task().hash;
  begun.settings = "not json";
  const std::string run = store::begin_run(f.archive, begun);
  const Story story = load_story(f.archive, run);
  EXPECT_EQ(story.best, 0);
  EXPECT_FALSE(times_as_fast(story));
  EXPECT_EQ(best_evaluation(story), nullptr);
  EXPECT_THAT(lineage(story), IsEmpty());
  EXPECT_THAT(failures(story), IsEmpty());
}

}  // namespace
}  // namespace hone::report
