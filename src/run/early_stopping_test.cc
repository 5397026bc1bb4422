#include "run/early_stopping.h"

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

TEST(EarlyStopping, StopsNothingWhileThereIsNoBest) {
  EXPECT_FALSE(EarlyStopping({}).should_stop(timed("a", {100})));
}

TEST(EarlyStopping, StopsAtTheFirstSampleOnlyWhatIsFarOff) {
  EXPECT_TRUE(EarlyStopping({{"a", 1}}).should_stop(timed("a", {2.1})));
  EXPECT_FALSE(EarlyStopping({{"a", 1}}).should_stop(timed("a", {1.9})));
}

TEST(EarlyStopping, StopsWhatIsOutsideTheNoiseAfterAFewSamples) {
  EXPECT_TRUE(EarlyStopping({{"a", 1}}).should_stop(timed("a", {1.4, 1.3, 1.25})));
  EXPECT_FALSE(EarlyStopping({{"a", 1}}).should_stop(timed("a", {1.4, 1.3, 1.15})));
}

TEST(EarlyStopping, GoesByTheFastestSample) {
  EXPECT_FALSE(EarlyStopping({{"a", 1}}).should_stop(timed("a", {9, 9, 1.0})));
}

TEST(EarlyStopping, AllowsForCasesThatAreYetToCome) {
  EarlyStopping stopping({{"a", 1}, {"b", 1}});
  EXPECT_FALSE(
      stopping.should_stop(timed("a", {2, 2, 2})));  // b may take half the time, and make up for it
  EXPECT_TRUE(stopping.should_stop(timed("b", {1, 1, 1})));
}

TEST(EarlyStopping, IgnoresCasesThatTheBestWasNotTimedOn) {
  EXPECT_FALSE(EarlyStopping({{"a", 1}}).should_stop(timed("b", {5, 5, 5})));
}

TEST(ForStrategy, GivesAnAcceptedPointItsMean) {
  core::Evaluation evaluation;
  evaluation.outcome = core::Outcome::accepted;
  evaluation.geomean = 3;
  EXPECT_EQ(for_strategy(evaluation, 1).seconds, 3.0);
}

TEST(ForStrategy, GivesAPointThatWasStoppedEarlyATimeOnlyIfEveryCaseWasReached) {
  core::Evaluation evaluation;
  judge::add(evaluation, judge::stopped_early("a"));
  evaluation.cases = {timed("a", {4})};
  EXPECT_EQ(for_strategy(evaluation, 1).seconds, 4.0);
  EXPECT_EQ(for_strategy(evaluation, 2).seconds, std::nullopt);
}

TEST(ForStrategy, GivesAFailureNoTimeEvenIfSomeOfItWasTimed) {
  core::Evaluation evaluation;
  evaluation.outcome = core::Outcome::wrong;
  evaluation.cases = {timed("a", {4})};
  EXPECT_EQ(for_strategy(evaluation, 1).seconds, std::nullopt);
}

}  // namespace
}  // namespace hone::run
