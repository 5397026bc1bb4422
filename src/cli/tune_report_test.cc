#include "cli/tune_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hone::cli {
namespace {

TEST(TuneReport, SaysThatARepeatedRunIsFromItsRecord) {
  app::TuneResult result;
  result.tuning.status.done = 12;
  result.tuning.status.known = 11;
  const char* said = "every point is from the record of this run";
  EXPECT_THAT(tune_report(result, {}), testing::Not(testing::HasSubstr(said)));
  result.tuning.status.known = 12;
  EXPECT_THAT(tune_report(result, {}), testing::HasSubstr(said));
}

}  // namespace
}  // namespace hone::cli
