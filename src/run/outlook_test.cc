#include "run/outlook.h"

#include <gtest/gtest.h>

#include "judge/finding.h"

namespace hone::run {
namespace {

core::CaseResult timed(const std::string& name, std::vector<double> samples) {
  core::CaseResult result;
  result.name = name;
  result.timed = true;
  result.samples = std::move(samples);
  result.median = result.samples.back();
  return result;
}

TEST(Outlook, HopesForEverybodyWhileThereIsNoBest) { EXPECT_FALSE(Outlook({}).hopeless(timed("a", {100}))); }

TEST(Outlook, GivesUpAtTheFirstSampleOnlyWhatIsFarOff) {
  EXPECT_TRUE(Outlook({{"a", 1}}).hopeless(timed("a", {2.1})));
  EXPECT_FALSE(Outlook({{"a", 1}}).hopeless(timed("a", {1.9})));
}

TEST(Outlook, GivesUpWhatIsOutsideTheNoiseAfterAFewSamples) {
  EXPECT_TRUE(Outlook({{"a", 1}}).hopeless(timed("a", {1.4, 1.3, 1.25})));
  EXPECT_FALSE(Outlook({{"a", 1}}).hopeless(timed("a", {1.4, 1.3, 1.15})));
}

TEST(Outlook, GoesByTheFastestSample) { EXPECT_FALSE(Outlook({{"a", 1}}).hopeless(timed("a", {9, 9, 1.0}))); }

TEST(Outlook, AllowsForCasesThatAreYetToCome) {
  Outlook outlook({{"a", 1}, {"b", 1}});
  EXPECT_FALSE(outlook.hopeless(timed("a", {2, 2, 2})));  // b may take half the time, and make up for it
  EXPECT_TRUE(outlook.hopeless(timed("b", {1, 1, 1})));
}

TEST(Outlook, IgnoresCasesThatTheBestWasNotTimedOn) {
  EXPECT_FALSE(Outlook({{"a", 1}}).hopeless(timed("b", {5, 5, 5})));
}

TEST(ToldFrom, GivesAnAcceptedPointItsMean) {
  core::Evaluation evaluation;
  evaluation.outcome = core::Outcome::accepted;
  evaluation.geomean = 3;
  EXPECT_EQ(told_from(evaluation, 1).seconds, 3.0);
}

TEST(ToldFrom, GivesAPointThatWasGivenUpATimeOnlyIfEveryCaseWasReached) {
  core::Evaluation evaluation;
  judge::add(evaluation, judge::stopped_early("a"));
  evaluation.cases = {timed("a", {4})};
  EXPECT_EQ(told_from(evaluation, 1).seconds, 4.0);
  EXPECT_EQ(told_from(evaluation, 2).seconds, std::nullopt);
}

TEST(ToldFrom, GivesAFailureNoTimeEvenIfSomeOfItWasTimed) {
  core::Evaluation evaluation;
  evaluation.outcome = core::Outcome::wrong;
  evaluation.cases = {timed("a", {4})};
  EXPECT_EQ(told_from(evaluation, 1).seconds, std::nullopt);
}

}  // namespace
}  // namespace hone::run
