#include "cli/tune_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/test_support.h"

namespace hone::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// A candidate with one tunable, of which 256 was faster than the default of 128.
app::TuneResult tuned() {
  app::TuneResult result;
  result.candidate.name = "seed\x1b[2K.cl";
  core::Tunable block;
  block.name = "BLOCK";
  block.values = {128, 256};
  block.chosen = 128;
  result.candidate.plan.tunables = {block};
  result.device.id = "opencl:0";
  result.device.name = "a CPU";
  auto& tuning = result.tuning;
  tuning.run = "4f1d";
  tuning.strategy = "all 12 points";
  tuning.stopped = "every point was tried";
  tuning.conclusion = "a faster point was found and confirmed in a fresh process";
  tuning.status.done = 12;
  tuning.status.failed = 2;
  tuning.status.stopped_early = 3;
  tuning.status.default_seconds = 2e-3;
  store::ComparisonRecord compared;
  compared.b.point = {{"BLOCK", 256}};
  compared.ratio = 0.5;
  compared.interval = {0.48, 0.52};
  compared.word = core::Comparison::faster;
  tuning.finals = {compared};
  tuning.compared = compared;
  tuning.certified.emplace().evaluation = store::testing::an_evaluation(
      store::testing::a_task(), store::testing::a_candidate(), {{"BLOCK", 256}});
  tuning.written = "seed.tuned.cl";
  return result;
}

TEST(TuneReport, SaysWhatWasTriedAndHowSureTheWinnerIs) {
  EXPECT_THAT(
      tune_report(tuned(), {}),
      AllOf(StartsWith("a faster point was found and confirmed in a fresh process\n"),
            HasSubstr("run 4f1d of seed\\x1b[2K.cl on opencl:0 a CPU: all 12 points\n"),
            HasSubstr("12 points tried, 2 failed, 3 stopped early; every point was tried\n"),
            HasSubstr("default BLOCK=128: 2.00 ms when screened\n"),
            HasSubstr("BLOCK=256: it is faster than the default (2.00× as fast; 99 %: 1.92× to "
                      "2.08×)\n"),
            HasSubstr("BLOCK=256 in a fresh process: accepted, 1.15 ms"),
            HasSubstr("written to seed.tuned.cl\n"), Not(HasSubstr("undecided")),
            Not(HasSubstr("known from before"))));
}

TEST(TuneReport, HasNoTimeOfAWinnerThatCertificationRefused) {
  auto result = tuned();
  auto& evaluation = result.tuning.certified->evaluation;
  evaluation.outcome = core::Outcome::wrong;
  evaluation.geomean.reset();
  evaluation.evidence = {{"tolerance", 27, true, "prime", "Element 5 is far off."}};
  result.tuning.compared.reset();
  result.tuning.written.clear();
  const std::string text = tune_report(result, {});
  EXPECT_THAT(text, AllOf(HasSubstr("in a fresh process: wrong\n"), HasSubstr("far off"),
                          Not(HasSubstr("1.15 ms")), Not(HasSubstr("written to"))));
}

TEST(TuneReport, CountsWhatABusyMachineLeftOpenAndWhatWasKnown) {
  auto result = tuned();
  result.tuning.status.undecided = 1;
  result.tuning.status.known = 4;
  EXPECT_THAT(tune_report(result, {}),
              HasSubstr("12 points tried, 2 failed, 1 undecided, 3 stopped early, 4 known from "
                        "before; every point was tried\n"));
}

TEST(TuneReport, OfASearchThatFoundNothingSaysOnlyThat) {
  app::TuneResult result;
  result.tuning.conclusion = "no point was accepted";
  const std::string text = tune_report(result, {});
  EXPECT_THAT(text, AllOf(StartsWith("no point was accepted\n"), HasSubstr("0 points tried"),
                          Not(HasSubstr("default")), Not(HasSubstr("fresh process"))));
}

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
