#include "cli/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace hone::cli {
namespace {

using base::ExitCode;
using core::Outcome;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(ExitCode, OfAnOutcomeTellsUndecidedFromRefused) {
  EXPECT_EQ(exit_code(Outcome::accepted), ExitCode::ok);
  EXPECT_EQ(exit_code(Outcome::undecided), ExitCode::undecided);
  for (const Outcome outcome : {Outcome::wrong, Outcome::cheating, Outcome::rejected, Outcome::timed_out})
    EXPECT_EQ(exit_code(outcome), ExitCode::not_accepted);
  EXPECT_EQ(static_cast<int>(ExitCode::undecided), 13) << "as docs/exit-codes.md says";
}

TEST(ExitCode, OfSeveralIsTheOneThatSaysMost) {
  EXPECT_EQ(worse(ExitCode::ok, ExitCode::ok), ExitCode::ok);
  EXPECT_EQ(worse(ExitCode::ok, ExitCode::undecided), ExitCode::undecided);
  EXPECT_EQ(worse(ExitCode::not_accepted, ExitCode::undecided), ExitCode::not_accepted);
}

TEST(Report, OfAnUndecidedEvaluationSaysWhyAndHasNoTime) {
  core::Evaluation evaluation;
  evaluation.outcome = Outcome::undecided;
  evaluation.evidence = {{"replay", 9, true, "timed", "undecided: other programs used this machine."}};
  const std::string text = report(evaluation, {}, {});
  EXPECT_THAT(text, StartsWith("undecided  screen on"));
  EXPECT_THAT(text, HasSubstr("why [replay, row 9] case timed: undecided: other programs used this machine."));
  EXPECT_THAT(text, Not(HasSubstr("geometric mean")));
}

// A line of its own that looks like a verdict would be taken for one.
TEST(Report, KeepsLinesWithinEvidenceApartFromItsOwn) {
  core::Evaluation evaluation;
  evaluation.outcome = Outcome::launch_failed;
  evaluation.evidence = {{"launch-errors", 2, true, "", "oh\naccepted  1 µs (geometric mean over timed cases)\x1b[1A"}};
  const std::string text = report(evaluation, {}, {});
  EXPECT_THAT(text, Not(HasSubstr("\naccepted")));
  EXPECT_THAT(text, HasSubstr("\n      accepted"));
  EXPECT_THAT(text, HasSubstr("\\x1b[1A"));
}

}  // namespace
}  // namespace hone::cli
