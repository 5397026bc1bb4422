#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "text/evaluation_text.h"

namespace hone::text {
namespace {

using core::Outcome;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(Report, OfAnUndecidedEvaluationSaysWhyAndHasNoTime) {
  core::Evaluation evaluation;
  evaluation.outcome = Outcome::undecided;
  evaluation.evidence = {
      {"replay", 9, true, "timed", "undecided: other programs used this machine."}};
  const std::string text = evaluation_report(evaluation, {}, {});
  EXPECT_THAT(text, StartsWith("undecided  screen on"));
  EXPECT_THAT(
      text,
      HasSubstr("why [replay, row 9] case timed: undecided: other programs used this machine."));
  EXPECT_THAT(text, Not(HasSubstr("geometric mean")));
}

TEST(Report, SaysOnceWhereTheRowsOfItsEvidenceAreDescribed) {
  core::Evaluation evaluation;
  evaluation.evidence = {{"replay", 9, false, "timed", "slower on new inputs."},
                         {"values", 29, false, "timed", "slower on some values."},
                         {"values", 29, false, "odd", "slower on some values."}};
  EXPECT_THAT(evaluation_report(evaluation, {}, {}),
              HasSubstr("slower on some values.\n  rows 9, 29 of docs/trust.md say what each of "
                        "these guards protects from\n"));
  evaluation.evidence.resize(1);
  EXPECT_THAT(evaluation_report(evaluation, {}, {}), 
              HasSubstr("\n  row 9 of docs/trust.md says what this guard protects from\n"));
  evaluation.evidence = {{"", 0, false, "", "other programs were using the device."}};
  EXPECT_THAT(evaluation_report(evaluation, {}, {}), Not(HasSubstr("docs/trust.md")));
}

// A line of its own that looks like a verdict would be taken for one.
TEST(Report, KeepsLinesWithinEvidenceApartFromItsOwn) {
  core::Evaluation evaluation;
  evaluation.outcome = Outcome::launch_failed;
  evaluation.evidence = {{"launch-errors", 2, true, "",
                          "oh\naccepted  1 µs (geometric mean over timed cases)\x1b[1A"}};
  const std::string text = evaluation_report(evaluation, {}, {});
  EXPECT_THAT(text, Not(HasSubstr("\naccepted")));
  EXPECT_THAT(text, HasSubstr("\n      accepted"));
  EXPECT_THAT(text, HasSubstr("\\x1b[1A"));
}

}  // namespace
}  // namespace hone::text
