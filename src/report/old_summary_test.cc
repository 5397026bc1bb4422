// Runs of archives before the journal are told as if they had one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "base/json.h"
#include "report/summary_example.h"
#include "report/summary_markdown.h"
#include "run/old_run_example.h"

namespace hone::report {
namespace {

using ::testing::HasSubstr;

// Ids and times of day differ from archive to archive.
std::string masked(const std::string& text) {
  static const std::regex ids("r?[0-9a-f]{8,}"), times(R"(\d{4}-\d\d-\d\dT[0-9:.]+Z)");
  return std::regex_replace(std::regex_replace(text, times, "TIME"), ids, "ID");
}

struct RunSummaryOfAnOldRun : ::testing::Test {
  store::testing::Fixture before, now;

  void is_told_alike(const std::string& strategy, bool finished) {
    const run::example::OldExampleRun old(before.archive, strategy, finished);
    const example::ExampleRun journal(now.archive, strategy, finished);
    const RunSummary one = load_summary(before.archive, old.run, true),
                     other = load_summary(now.archive, journal.run, true);
    EXPECT_EQ(masked(summary_markdown(one, nullptr, "")),
              masked(summary_markdown(other, nullptr, "")));
    EXPECT_EQ(masked(svg(summary_chart(one, nullptr))), masked(svg(summary_chart(other, nullptr))));
    EXPECT_EQ(masked(base::json_text(one)), masked(base::json_text(other)));
  }
};

TEST_F(RunSummaryOfAnOldRun, IsThatOfTheSameRunWithAJournal) { is_told_alike("scientist", true); }

TEST_F(RunSummaryOfAnOldRun, IsThatOfTheSameKilledRunWithAJournal) {
  is_told_alike("scientist", false);
}

TEST_F(RunSummaryOfAnOldRun, TellsWhatNeverBecameACandidate) {
  run::example::OldExampleRun example(before.archive);
  example.decide("g001/writer-3/try-1/unusable", R"({"why": "There is no code in it."})");
  example.decide("g001/writer-3/try-2/unusable", R"({"why": "There are two files in it."})");
  const auto groups = missed(load_summary(before.archive, example.run));
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].what, "unusable answer");
  EXPECT_THAT(groups[0].steps,
              ::testing::ElementsAre("g001/writer-3/try-1", "g001/writer-3/try-2"));
  EXPECT_EQ(groups[0].example, "There is no code in it.");
}

TEST_F(RunSummaryOfAnOldRun, IsToldWhereItsDecisionsMakeNoSense) {
  store::record_task(before.archive, store::testing::a_task());
  store::ResearchRun begun;
  begun.task = store::testing::a_task().hash;
  begun.settings = "not json";
  const std::string run = store::begin_run(before.archive, begun);
  store::decide_once(before.archive, run, "result", R"([{"best":"six"}])");
  store::decide_once(before.archive, run, "g001/selection", "null");
  const RunSummary summary = load_summary(before.archive, run);
  EXPECT_EQ(summary.best, 0);
  EXPECT_THAT(summary_markdown(summary, nullptr, ""), HasSubstr("No candidate was accepted"));
}

}  // namespace
}  // namespace hone::report
