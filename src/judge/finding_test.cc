#include "judge/finding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/resources.h"

namespace hone::judge {
namespace {

using core::Outcome;

TEST(Findings, DecideUnlessTheyAreLabels) {
  core::Evaluation evaluation;
  evaluation.outcome = Outcome::accepted;
  add(evaluation, label(Guard::values, "Slower on some values."));
  EXPECT_EQ(evaluation.outcome, Outcome::accepted);
  add(evaluation, undecided(Guard::arrival, "Other programs use the device."));
  EXPECT_EQ(evaluation.outcome, Outcome::undecided);
  ASSERT_EQ(evaluation.evidence.size(), 2u);
  EXPECT_FALSE(evaluation.evidence[0].convicts);
  EXPECT_TRUE(evaluation.evidence[1].convicts);
  EXPECT_EQ(evaluation.evidence[0].row, row_of(Guard::values));
}

// An archive tells such points by these words, when it looks for the verdict that stands.
TEST(Findings, APointThatWasStoppedEarlyHasTheWordsThatTheArchiveLooksFor) {
  const Finding stopped = stopped_early("case");
  EXPECT_TRUE(stopped.is_stopped_early);
  EXPECT_FALSE(rejection("It does not fit.").is_stopped_early);
  core::Evaluation evaluation;
  add(evaluation, rejection("It does not fit."));
  EXPECT_FALSE(was_stopped_early(evaluation));
  add(evaluation, stopped);
  EXPECT_TRUE(was_stopped_early(evaluation));
  EXPECT_THAT(base::resource("sql/queries/evaluations.sql"),
              testing::HasSubstr("'" + stopped.text + "'"));
}

}  // namespace
}  // namespace hone::judge
