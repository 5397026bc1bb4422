#include "cli/tune_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hone::cli {
namespace {

TEST(TuneReport, SaysHowLongTheSearchWillStillTake) {
  run::TuneStatus status;
  status.total = 40;
  status.done = 1;
  EXPECT_EQ(time_left(status, 5, 0), "") << "one point says little";
  status.done = 10;
  EXPECT_EQ(time_left(status, 20, 0), "about 60 s left");
  EXPECT_EQ(time_left(status, 200, 0), "about 10 min left");
  EXPECT_EQ(time_left(status, 200, 230), "about 30 s left") << "the minutes that were given end it";
  status.known = 5;
  EXPECT_EQ(time_left(status, 20, 0), "about 2 min left") << "what came from the archive took no time";
  status.allowed = 12;
  EXPECT_EQ(time_left(status, 20, 0), "about 8 s left");
  status.done = 12;
  EXPECT_EQ(time_left(status, 20, 0), "");
  status.total.reset();
  status.allowed = 0;
  EXPECT_EQ(time_left(status, 20, 0), "") << "the end of a local search is not known";
}

TEST(TuneReport, SaysThatARepeatedRunIsFromItsRecord) {
  run::TuneResult result;
  result.status.done = 12;
  result.status.known = 11;
  const char* said = "every point is from the record of this run";
  EXPECT_THAT(tune_report(result, {}, {}, {}), testing::Not(testing::HasSubstr(said)));
  result.status.known = 12;
  EXPECT_THAT(tune_report(result, {}, {}, {}), testing::HasSubstr(said));
}

}  // namespace
}  // namespace hone::cli
