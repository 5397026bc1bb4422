#include "runner/reference_limit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runner/wire.h"

namespace hone::runner {
namespace {

using testing::ElementsAre;

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

}  // namespace
}  // namespace hone::runner
