#include "runner/reference_limit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "runner/wire.h"

namespace hone::runner {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(ReferenceLimit, TellsAfterFiveSecondsAndThenEveryTenThatAReferenceIsRunning) {
  std::vector<std::string> said;
  ReferenceLimit limit;
  limit.say = [&](const std::string& text) { said.push_back(text); };
  const auto tell = limit.teller("the reference of case small", 120);
  for (double waited = 0; waited < 25; waited += 0.5) tell(waited);
  EXPECT_THAT(
      said,
      ElementsAre("the reference of case small has been running for 5 s; its limit is 120 s",
                  "the reference of case small has been running for 10 s; its limit is 120 s",
                  "the reference of case small has been running for 20 s; its limit is 120 s"));
}

TEST(ReferenceLimit, TellsNothingWhereNobodyListens) {
  EXPECT_FALSE(ReferenceLimit().teller("a reference", 120));
}

TEST(ReferenceLimit, TellsWhileAnAnswerIsWaitedFor) {
  const auto [judge, worker] = socket_pair();
  int told = 0;
  constexpr double long_enough = 60;
  EXPECT_TRUE(wait_and_tell(judge.get(), long_enough, [&](double) {
    ++told;
    send_packet(worker.get(), "the answer");
  }));
  EXPECT_EQ(told, 1);
  EXPECT_TRUE(receive_packet(judge.get()));
  EXPECT_FALSE(wait_and_tell(judge.get(), 0, [](double) {}));
}

// ---- $HONE_REFERENCE_LIMIT

struct ReferenceLimitOfATask : testing::Test {
  void SetUp() override { ::unsetenv(reference_limit_variable); }
  void TearDown() override { ::unsetenv(reference_limit_variable); }
  static double seconds(const core::Task& task = {}) { return reference_limit(task).call_seconds; }
};

TEST_F(ReferenceLimitOfATask, IsLongerForTheProblemsOfOthers) {
  EXPECT_EQ(seconds(), 120);
  core::Task other;
  other.interface.emplace();
  EXPECT_EQ(seconds(other), 600);
  core::Task function;
  function.function.emplace().seconds = 45;
  EXPECT_EQ(seconds(function), 45);
}

TEST_F(ReferenceLimitOfATask, IsWhatTheEnvironmentSays) {
  core::Task other;
  other.interface.emplace();
  ::setenv(reference_limit_variable, "2.5", 1);
  EXPECT_EQ(seconds(), 2.5);
  EXPECT_EQ(seconds(other), 2.5);
  ::setenv(reference_limit_variable, "", 1);
  EXPECT_EQ(seconds(), 120) << "empty is not set";
  for (const char* bad : {"0", "-1", "ten", "10s", "nan", "inf", "1e9"}) {
    ::setenv(reference_limit_variable, bad, 1);
    try {
      seconds();
      ADD_FAILURE() << bad;
    } catch (const base::Error& error) {
      EXPECT_EQ(error.code(), base::ExitCode::usage) << bad;
      EXPECT_THAT(error.what(), AllOf(HasSubstr(reference_limit_variable), HasSubstr(bad)));
    }
  }
}

TEST(ReferenceLimit, IsCutByTheDeadlineAndNeverNegative) {
  using Clock = ReferenceLimit::Clock;
  ReferenceLimit limit;
  EXPECT_EQ(limit.at_most(30), 30);
  limit.deadline = Clock::now() + std::chrono::hours(1);
  EXPECT_EQ(limit.at_most(30), 30) << "the deadline is further away";
  EXPECT_FALSE(limit.over());
  EXPECT_LE(limit.at_most(7200), 3600);
  limit.deadline = Clock::now() - std::chrono::hours(1);
  EXPECT_EQ(limit.at_most(30), 0);
  EXPECT_TRUE(limit.over());
}

TEST(ReferenceLimit, SaysWhichTimeWasUpAndWhichOptionMovesIt) {
  const auto told = [](const ReferenceLimit& limit) {
    try {
      limit.fail("the reference");
    } catch (const TooSlow& error) {
      return std::string(error.deadline() ? "deadline: " : "call: ") + error.what();
    }
  };
  ReferenceLimit limit;
  EXPECT_THAT(told(limit), AllOf(HasSubstr("call: the reference did not finish within 120 s"),
                                 HasSubstr("--reference-limit")));
  limit.deadline = ReferenceLimit::Clock::now();
  EXPECT_THAT(told(limit), AllOf(HasSubstr("deadline: "), HasSubstr("--max-seconds")));
}

}  // namespace
}  // namespace hone::runner
