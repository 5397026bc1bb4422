#include "store/journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/research.h"
#include "store/test_support.h"

namespace hone::store {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct JournalOfARun : ::testing::Test {
  testing::Fixture f;
  std::string run = begin(), other = begin();

  std::string begin() {
    record_task(f.archive, testing::a_task());
    return begin_run(
        f.archive,
        {.task = testing::a_task().hash, .device = "d", .device_name = "d", .settings = "{}"});
  }
  std::vector<std::string> kinds(const std::string& of, std::int64_t after = 0) {
    std::vector<std::string> list;
    for (const auto& line : journal_of(f.archive, of, after)) list.push_back(line.kind);
    return list;
  }
  std::string error_of(const std::string& sql) {
    try {
      f.archive.database().run_script(sql);
    } catch (const base::Error& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(JournalOfARun, HasItsLinesInTheOrderInWhichTheyWereAppended) {
  append_journal(f.archive, run, "given", R"({"place":1})");
  append_journal(f.archive, other, "given", "{}");
  append_journal(f.archive, run, "decided", "[]");
  append_journal(f.archive, run, "decided", "[]");
  EXPECT_THAT(kinds(run), ElementsAre("given", "decided", "decided"))
      << "the same again is another line";
  EXPECT_THAT(kinds(other), ElementsAre("given"));
  const auto lines = journal_of(f.archive, run);
  EXPECT_EQ(lines[0].body, R"({"place":1})");
  EXPECT_GT(lines[0].created, Time{});
  EXPECT_LT(lines[0].number, lines[1].number);
  EXPECT_THAT(kinds(run, lines[0].number), ElementsAre("decided", "decided"))
      << "what was not read yet";
  EXPECT_THAT(kinds(run, lines[2].number), IsEmpty());
}

TEST_F(JournalOfARun, KeepsLargeBodiesWhole) {
  const std::string large(300'000, 'x');
  append_journal(f.archive, run, "written", large);
  append_journal(f.archive, run, "judged", large + "y");
  Archive again = Archive::open(f.path);
  const auto lines = journal_of(again, run);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].body, large);
  EXPECT_EQ(lines[1].body, large + "y");
  EXPECT_THAT(again.check(), IsEmpty());
}

TEST_F(JournalOfARun, IsOnlyAppendedTo) {
  append_journal(f.archive, run, "given", "{}");
  EXPECT_THAT(error_of("UPDATE journal SET body = '[]'"), HasSubstr("append-only"));
  EXPECT_THAT(error_of("DELETE FROM journal"), HasSubstr("append-only"));
  EXPECT_EQ(journal_of(f.archive, run).at(0).body, "{}");
}

TEST_F(JournalOfARun, HasNothingOfABatchThatWasNotCommitted) {
  {
    ArchiveTransaction batch(f.archive);
    append_journal(f.archive, run, "decided", "{}");
  }
  EXPECT_THAT(kinds(run), IsEmpty());
  EXPECT_THROW(append_journal(f.archive, "rabcdef", "given", "{}"), base::Error)
      << "there is no such run";
}

TEST_F(JournalOfARun, CountsAsWorkOnTheRun) {
  const auto row = row_of_research_run(f.archive, run);
  const std::optional<std::string> none;
  const Time begun = now() - std::chrono::seconds(500);
  f.archive.database().run("insert_research_state", row, "running", "", begun);
  f.archive.database().run("append_journal", row, "judged", begun + std::chrono::seconds(60), "{}",
                           none);
  EXPECT_DOUBLE_EQ(seconds_at_work(f.archive, run), 60) << "it was killed after that";
}

TEST_F(JournalOfARun, StandsBesideWhatTheRunDoesNowOfWhichOnlyTheLastIsKept) {
  EXPECT_FALSE(activity_of(f.archive, run));
  set_activity(f.archive, run, R"({"phase":"first generation"})");
  const Time first = activity_of(f.archive, run)->changed;
  set_activity(f.archive, run, R"({"phase":"generation"})");
  EXPECT_EQ(activity_of(f.archive, run)->body, R"({"phase":"generation"})");
  EXPECT_GE(activity_of(f.archive, run)->changed, first);
  EXPECT_FALSE(activity_of(f.archive, other));
}

}  // namespace
}  // namespace hone::store
