#include "app/recorded_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace hone::app {
namespace {

constexpr const char* report = R"(# A run
reached 64.0 % of this device's measured ceiling

| 00001 |  | 0 | seed/given-0 | accepted | 1.00 ms |
| 00002 | 00001 | 1 | unroll | accepted | 500 µs |
| 00003 | 00001 | 1 | widen | wrong | - |
| 00004 | 00001 | 1 | widen | accepted | 900 µs |

| 00002 | unroll | 40 to 60 % | saves 50.0 % | as predicted |
)";

TEST(RecordedReport, ReadsTheTableOfCandidates) {
  const auto run = recorded_report(report, "r");
  ASSERT_EQ(run.candidates.size(), 4u);
  using Kind = search::RecordedCandidate::Kind;
  EXPECT_EQ(run.candidates[1].kind, Kind::experiment);
  EXPECT_EQ(run.candidates[1].basis, 1);
  EXPECT_NEAR(*run.candidates[1].seconds, 5e-4, 1e-12);
  ASSERT_TRUE(run.candidates[1].predicted);
  EXPECT_EQ((*run.candidates[1].predicted)[1], 60);
  EXPECT_FALSE(run.candidates[2].seconds);
  EXPECT_TRUE(run.candidates[3].is_repair) << "the same experiment after a failure";
  EXPECT_NEAR(*run.reached, 0.64, 1e-12);
}

TEST(RecordedReport, RefusesWhatIsNone) {
  EXPECT_THROW(recorded_report("# Notes\n", "notes"), base::Error);
}

}  // namespace
}  // namespace hone::app
