// What commands print for a person, of results that are made here: no device, no model, no archive.
#include "cli/results.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/estimate_text.h"
#include "store/test_support.h"

namespace hone::cli {
namespace {

using core::Outcome;
using store::testing::a_candidate;
using store::testing::a_case;
using store::testing::a_task;
using store::testing::an_evaluation;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr text::Screen pipe{};

core::Evaluation evaluation(Outcome outcome = Outcome::accepted, double seconds = 1e-3) {
  core::Evaluation e = an_evaluation(a_task(), a_candidate());
  e.outcome = outcome;
  for (auto& one : e.cases) one.median = seconds;
  e.geomean = seconds;
  if (outcome == Outcome::accepted) return e;
  e.geomean.reset();
  e.evidence = {{"tolerance", 27, true, "prime", "Element 5 is far off."}};
  return e;
}

// ---- hone eval

TEST(EvalText, NamesTheEvaluationWhereItWasRecorded) {
  const auto recorded = verdict_report({"seed.cl", evaluation(), "4f1d", {}, 0}, {}, pipe);
  EXPECT_THAT(recorded, AllOf(HasSubstr("accepted"), EndsWith("recorded as 4f1d\n")));
  const auto not_recorded = verdict_report({"seed.cl", evaluation(), "", {}, 0}, {}, pipe);
  EXPECT_THAT(not_recorded, Not(HasSubstr("recorded")));
}

TEST(EvalText, SaysWhyACandidateWasRefused) {
  EXPECT_THAT(verdict_report({"seed.cl", evaluation(Outcome::wrong), "", {}, 0}, {}, pipe),
              AllOf(StartsWith("wrong"), HasSubstr("Element 5 is far off.")));
}

// ---- hone compare

struct CompareText : ::testing::Test {
  app::CompareRequest request;
  app::CompareResult result;
  CompareText() {
    request.a = "old.cl";
    request.b = "new\x1b[2K.cl";
    result.comparison.a = result.comparison.b = evaluation();
  }
  std::string text() const { return compared_text(request, result, pipe); }
};

TEST_F(CompareText, SaysWhichIsFasterAndHowSureThatIs) {
  auto& c = result.comparison;
  c.compared = true;
  c.word = core::Comparison::faster;
  c.ratio_estimate = 0.5;
  c.ratio = {0.48, 0.52};
  c.cases = {{"prime", {0.48, 0.52}, 0.5, 2e-3, 1e-3, {}}};
  EXPECT_THAT(text(),
              AllOf(HasSubstr("is faster: 0.5000 of the time of old.cl (99 %: 0.4800 to 0.5200)"),
                    HasSubstr("prime"), HasSubstr("2.00 ms"), HasSubstr("1.00 ms"),
                    HasSubstr("new\\x1b[2K.cl"), Not(HasSubstr("\x1b"))));
}

TEST_F(CompareText, ShowsTheVerdictOnTheSideThatWasRefusedAndOnNoOther) {
  result.comparison.b = evaluation(Outcome::wrong);
  EXPECT_THAT(text(), AllOf(StartsWith("new\\x1b[2K.cl: wrong"), HasSubstr("far off"),
                            Not(HasSubstr("old.cl")), Not(HasSubstr("faster"))));
}

TEST_F(CompareText, SaysWhyTwoCannotBeComparedHere) {
  result.comparison.refusal = "both would need 80 GiB, and the device has 64";
  EXPECT_EQ(text(), "both would need 80 GiB, and the device has 64\n");
}

// ---- hone profile, hone tools

TEST(ProfileText, SaysThatOnlyAcceptedCandidatesAreProfiled) {
  app::ProfileResult result;
  result.refusal = evaluation(Outcome::wrong);
  EXPECT_THAT(profiled_text(result, pipe),
              AllOf(StartsWith("wrong"), EndsWith("Only an accepted candidate is profiled.\n")));
}

TEST(ProfileText, NamesTheRecordingThatCanBeShownAgain) {
  app::ProfileResult result;
  result.profile.emplace();
  result.id = "77aa";
  EXPECT_THAT(profiled_text(result, pipe),
              EndsWith("recorded as 77aa (`hone show 77aa` has every metric)\n"));
  result.id = "";
  EXPECT_THAT(profiled_text(result, pipe), Not(HasSubstr("recorded")));
}

TEST(ToolsText, HasNoFiguresOfAdviceThatNoExperimentFollowed) {
  app::ToolsResult result;
  result.tools = {{.name = "silent", .summary = "Never spoke."},
                  {.name = "right", .summary = "Spoke\tonce."}};
  auto& record = result.tools[1].record;
  record.fired = 5, record.shown = 4, record.cited = 3, record.followed = 2, record.right = 1;
  record.covered = 2, record.width = 12.5, record.realised = 30;
  const std::string text = tools_text(result, pipe);
  const auto line_of = [&](const std::string& name) {
    const auto at = text.find("\n" + name) + 1;
    return text.substr(at, text.find('\n', at) - at);
  };
  EXPECT_THAT(line_of("silent"), AllOf(HasSubstr("Never spoke."), Not(HasSubstr("%"))));
  EXPECT_THAT(line_of("right"), AllOf(HasSubstr("1 of 2"), HasSubstr("2 of 2"), HasSubstr("12.5 %"),
                                      HasSubstr("30 %")));
  EXPECT_THAT(text, HasSubstr("fired: advice in all profiles"));
}

// ---- hone run, hone learn

TEST(RunText, SaysHowARunGoesOnThatStopped) {
  app::RunDone done;
  done.result.run = "r1f2e";
  done.result.state = store::RunState::stopped;
  EXPECT_THAT(
      run_done_text(done, pipe),
      EndsWith("Nothing that was answered or measured is lost. Go on with:\n    hone resume "
               "r1f2e\n"));
}

TEST(RunText, SaysWhatAPersonCarriesWhereJobsAreAway) {
  app::RunDone done;
  done.result.run = "r1f2e";
  done.result.state = store::RunState::away;
  done.result.away = {"00003-screen", "00004-screen"};
  done.settings.executor = "bundle:jobs";
  EXPECT_THAT(run_done_text(done, pipe),
              AllOf(HasSubstr("2 jobs away"), HasSubstr("hone bundle pack jobs -o bundle.hone"),
                    HasSubstr("hone bundle import jobs results.hone"),
                    EndsWith("    hone resume r1f2e\n")));
}

TEST(RunText, OfAFinishedRunNamesWhatWritesTheBest) {
  app::RunDone done;
  done.result.run = "r1f2e";
  done.result.best = 6;
  done.result.conclusion = "00006 is faster than the seed";
  EXPECT_THAT(run_done_text(done, pipe),
              AllOf(StartsWith("00006 is faster than the seed\n"),
                    HasSubstr("hone best r1f2e -o FILE"), Not(HasSubstr("hone resume"))));
}

TEST(LearnText, ListsWhatWasLearnedAndWhatItCost) {
  run::Learned learned;
  learned.findings = {{.id = "12", .text = "Vectors of\x07 eight."}, {.id = "13", .text = "More."}};
  learned.spending.calls = 3;
  learned.spending.usd = 0.126;
  EXPECT_EQ(learned_text(learned),
            "12  Vectors of\\x07 eight.\n13  More.\n2 findings, 3 calls, 0.13 dollars. `hone "
            "findings` lists, edits and deletes them.\n");
}

app::RunEstimate estimate() {
  app::RunEstimate estimate;
  estimate.roles = {{"designer", "openai:m", 10, 2000, 100, 0.5, 1.0},
                    {"writer", "exec:\x1b[2K", 30, 3000, 500, 1.25, 4.0}};
  estimate.device_seconds = 90;
  estimate.assumptions = "30 candidates";
  return estimate;
}

TEST(EstimateText, AddsUpWhatTheRolesWouldCost) {
  const std::string text = estimate_text(estimate(), pipe);
  EXPECT_THAT(text, AllOf(HasSubstr("1.75"), HasSubstr("5.00"), HasSubstr("110000"),
                          HasSubstr("16000"), HasSubstr("exec:\\x1b[2K"),
                          HasSubstr("About 90 s of the device. Estimated for 30 candidates."),
                          HasSubstr("nothing was spent")));
}

TEST(EstimateText, HasNoSumWhereOnePriceIsNotKnown) {
  auto one = estimate();
  one.roles[1].usd.reset();
  one.external = true;
  const std::string text = estimate_text(one, pipe);
  EXPECT_THAT(text, AllOf(HasSubstr("unknown"), Not(HasSubstr("1.75")),
                          HasSubstr("The evaluator's own time is not known")));
  const auto all = text.substr(text.find("\nall"));
  EXPECT_THAT(all, AllOf(HasSubstr("unknown"), HasSubstr("5.00"))) << "the caps are known";
}

// ---- hone recheck

struct RecheckText : ::testing::Test {
  app::RecheckResult result;
  RecheckText() {
    result.label = "run r1f2e:00006";
    result.then = evaluation(Outcome::accepted, 1e-3);
    result.now = evaluation(Outcome::accepted, 1.1e-3);
    result.id = "4f1d";
    result.verdict = {app::Recheck::Word::slower, 1.1, 0.05, "It is slower than it was."};
  }
  std::string text() const { return rechecked_text(result, pipe); }
};

TEST_F(RecheckText, SetsTheTimesOfThenAndNowSideBySide) {
  EXPECT_THAT(text(),
              AllOf(StartsWith("run r1f2e:00006\n"), HasSubstr("1.00 ms"), HasSubstr("1.10 ms"),
                    HasSubstr("1.100"), HasSubstr("geometric mean"),
                    HasSubstr("It is slower than it was.\n"), EndsWith("recorded as 4f1d\n")));
}

TEST_F(RecheckText, SaysWhatElseIsNotAsItWas) {
  EXPECT_THAT(text(), Not(HasSubstr("driver")));
  result.now.key.driver = "590";
  result.now.key.depth = core::Depth::certify;
  EXPECT_THAT(text(),
              AllOf(HasSubstr("driver: 580.1 then, 590 now\n"),
                    HasSubstr("depth: screen then, certify now\n"), Not(HasSubstr("compiler:"))));
}

TEST_F(RecheckText, ShowsTheWholeVerdictOnWhatDoesNotPassAnyMore) {
  result.now = evaluation(Outcome::wrong);
  result.verdict.word = app::Recheck::Word::not_accepted;
  EXPECT_THAT(text(),
              AllOf(StartsWith("wrong"), HasSubstr("far off"), Not(HasSubstr("geometric mean"))));
}

}  // namespace
}  // namespace hone::cli
