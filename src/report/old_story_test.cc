// Runs of archives before the journal are told as if they had one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "report/story_example.h"
#include "report/story_markdown.h"
#include "run/old_run_example.h"

namespace hone::report {
namespace {

using ::testing::HasSubstr;

// Ids and times of day differ from archive to archive.
std::string masked(const std::string& text) {
  static const std::regex ids("r?[0-9a-f]{8,}"), times(R"(\d{4}-\d\d-\d\dT[0-9:.]+Z)");
  return std::regex_replace(std::regex_replace(text, times, "TIME"), ids, "ID");
}

struct StoryOfARunOfBefore : ::testing::Test {
  store::testing::Fixture before, now;

  void is_told_alike(const std::string& strategy, bool finished) {
    const run::example::OldExampleRun old(before.archive, strategy, finished);
    const example::ExampleRun journal(now.archive, strategy, finished);
    const Story one = load_story(before.archive, old.run, true),
                other = load_story(now.archive, journal.run, true);
    EXPECT_EQ(masked(story_markdown(one, nullptr, "")), masked(story_markdown(other, nullptr, "")));
    EXPECT_EQ(masked(svg(story_chart(one, nullptr))), masked(svg(story_chart(other, nullptr))));
    EXPECT_EQ(masked(story_json(one, nullptr).dump(1)), masked(story_json(other, nullptr).dump(1)));
  }
};

TEST_F(StoryOfARunOfBefore, IsThatOfTheSameRunWithAJournal) { is_told_alike("scientist", true); }

TEST_F(StoryOfARunOfBefore, IsThatOfTheSameKilledRunWithAJournal) {
  is_told_alike("scientist", false);
}

TEST_F(StoryOfARunOfBefore, TellsWhatNeverBecameACandidate) {
  run::example::OldExampleRun example(before.archive);
  example.decide("g001/writer-3/try-1/unusable", {{"why", "There is no code in it."}});
  example.decide("g001/writer-3/try-2/unusable", {{"why", "There are two files in it."}});
  const auto groups = missed(load_story(before.archive, example.run));
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].what, "unusable answer");
  EXPECT_THAT(groups[0].steps,
              ::testing::ElementsAre("g001/writer-3/try-1", "g001/writer-3/try-2"));
  EXPECT_EQ(groups[0].example, "There is no code in it.");
}

TEST_F(StoryOfARunOfBefore, IsToldWhereItsDecisionsMakeNoSense) {
  store::record_task(before.archive, store::testing::a_task());
  store::ResearchRun begun;
  begun.task = store::testing::a_task().hash;
  begun.settings = "not json";
  const std::string run = store::begin_run(before.archive, begun);
  store::decide_once(before.archive, run, "result", R"([{"best":"six"}])");
  store::decide_once(before.archive, run, "g001/selection", "null");
  const Story story = load_story(before.archive, run);
  EXPECT_EQ(story.best, 0);
  EXPECT_THAT(story_markdown(story, nullptr, ""), HasSubstr("No candidate was accepted"));
}

}  // namespace
}  // namespace hone::report
