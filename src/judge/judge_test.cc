#include "judge/judge.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "device/device.h"
#include "judge/compare.h"
#include "judge/finding.h"
#include "judge/sanitize.h"
#include "judge/selftest.h"
#include "runner/worker.h"
#include "task/candidate_loader.h"
#include "task/copy_task_example.h"
#include "task/task_loader.h"

// Runners are this very program, started again as a worker.
int main(int argc, char** argv) {
  if (argc == 2 && argv[1] == hone::runner::worker_role) return hone::runner::worker_main();
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}

namespace hone::judge {
namespace {

using core::Outcome;
using testing::HasSubstr;

using task::example::copy_plan;

// One task and one judge per suite: the reference is compiled once.
class FakeJudge : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<base::TemporaryFolder>("hone-judge-test");
    ::setenv("HONE_HOME", (folder_->path() / "home").c_str(), 1);
    task::example::write_copy_task(folder_->path() / "copy");
    auto task = task::load_task(folder_->path() / "copy");
    ASSERT_TRUE(task.ok()) << task::render_with_sources(task.error());
    task_ = std::make_unique<core::Task>(*task);
  }
  static void TearDownTestSuite() {
    task_.reset();
    folder_.reset();
  }

  static core::Candidate candidate(const std::string& behaviour) {
    auto made = task::candidate_from(
        std::string(copy_plan) + "kernel run(buffer, buffer) " + behaviour + "\n",
        core::Language::fake, "test.fake");
    EXPECT_TRUE(made.ok()) << (made.ok() ? "" : task::render_with_sources(made.error()));
    return *made;
  }

  static JudgeOptions quick() {
    JudgeOptions options;
    options.guards = without_clock();  // a busy machine must not decide what is tested here
    options.call_seconds = 60;
    options.sampling = SamplingRule{7, 9, 0.05, 0.2};
    return options;
  }

  static core::Evaluation judged(const std::string& behaviour, JudgeOptions options = quick(),
                                 core::Depth depth = core::Depth::screen) {
    Judge judge(*task_, device::find_device("fake:0"), std::move(options));
    EvaluateOptions evaluate;
    evaluate.depth = depth;
    return judge.evaluate(candidate(behaviour), evaluate);
  }

  static constexpr CompareRule few_rounds{
      .margin = 0.05, .resolution = 0, .fewest_rounds = 3, .most_rounds = 4, .seconds = 1};

  static std::string why(const core::Evaluation& evaluation) {
    for (const auto& evidence : evaluation.evidence)
      if (evidence.convicts) return evidence.guard + ": " + evidence.text;
    return "";
  }

  static std::unique_ptr<base::TemporaryFolder> folder_;
  static std::unique_ptr<core::Task> task_;
};
std::unique_ptr<base::TemporaryFolder> FakeJudge::folder_;
std::unique_ptr<core::Task> FakeJudge::task_;

TEST_F(FakeJudge, AcceptsAnHonestKernelWithItsTimes) {
  const auto evaluation = judged("copy");
  EXPECT_EQ(evaluation.outcome, Outcome::accepted) << why(evaluation);
  ASSERT_EQ(evaluation.cases.size(), 2u);
  EXPECT_FALSE(evaluation.cases[0].timed);
  EXPECT_GE(evaluation.cases[1].samples.size(), 7u);
  EXPECT_GT(evaluation.cases[1].median, 0);
  EXPECT_LE(evaluation.cases[1].interval.low, evaluation.cases[1].median);
  EXPECT_TRUE(evaluation.geomean.has_value());
}

TEST_F(FakeJudge, SaysWhichElementIsWrongAndWhatWasExpected) {
  const auto evaluation = judged("scale=1.5");
  EXPECT_EQ(evaluation.outcome, Outcome::wrong);
  EXPECT_THAT(why(evaluation), testing::AllOf(HasSubstr("tolerance"), HasSubstr("77 of 77"),
                                              HasSubstr("At y[0]"), HasSubstr("expected")));
}

TEST_F(FakeJudge, FindsWhatWasNeverWritten) {
  EXPECT_EQ(judged("nothing").outcome, Outcome::wrong);
  const auto half = judged("half");
  EXPECT_EQ(half.outcome, Outcome::wrong);
  EXPECT_THAT(why(half), HasSubstr("not finite"));
  EXPECT_THAT(why(half), HasSubstr(". Outputs hold NaN before a call, so an element that is read "
                                   "before it is written, or never written, shows like that"));
}

TEST_F(FakeJudge, NamesTheCanaryThatWasHit) {
  EXPECT_THAT(why(judged("copy overrun")), HasSubstr("y was written"));
  EXPECT_THAT(why(judged("copy overrun")), HasSubstr("past its end"));
  EXPECT_THAT(why(judged("copy underrun")), HasSubstr("before its start"));
}

TEST_F(FakeJudge, NoticesChangedInputs) {
  const auto evaluation = judged("copy scribble");
  EXPECT_EQ(evaluation.outcome, Outcome::cheating);
  EXPECT_THAT(
      why(evaluation),
      HasSubstr("the input x was changed by the call: work on a copy, or write to an output"));
}

TEST_F(FakeJudge, NoticesReplayedResults) { EXPECT_EQ(judged("stale").outcome, Outcome::wrong); }

TEST_F(FakeJudge, NamesTheSignalThatKilledIt) {
  const auto evaluation = judged("crash");
  EXPECT_EQ(evaluation.outcome, Outcome::crashed);
  EXPECT_THAT(why(evaluation), HasSubstr("SIGSEGV"));
  EXPECT_THAT(why(judged("abort")), HasSubstr("SIGABRT"));
}

TEST_F(FakeJudge, StopsAHangAtItsLimitAndGoesOn) {
  JudgeOptions options = quick();
  options.call_seconds = 3;  // also for the honest one, on a busy machine
  Judge judge(*task_, device::find_device("fake:0"), options);
  const auto hung = judge.evaluate(candidate("hang"), {});
  EXPECT_EQ(hung.outcome, Outcome::timed_out);
  EXPECT_THAT(why(hung), HasSubstr("3 s"));
  EXPECT_EQ(judge.evaluate(candidate("copy"), {}).outcome, Outcome::accepted);
}

TEST_F(FakeJudge, KeepsTheTimeOfATuningPointThatIsStoppedEarly) {
  Judge judge(*task_, device::find_device("fake:0"), quick());
  EvaluateOptions options;
  options.stop_early = [](const core::CaseResult&) { return true; };
  const auto stopped = judge.evaluate(candidate("copy"), options);
  EXPECT_TRUE(was_stopped_early(stopped));
  ASSERT_EQ(stopped.cases.size(), 2u);
  EXPECT_EQ(stopped.cases[1].samples.size(), 2u);
  EXPECT_GT(stopped.cases[1].median, 0);
}

TEST_F(FakeJudge, ReportsALaunchError) {
  EXPECT_EQ(judged("copy fail").outcome, Outcome::launch_failed);
}

TEST_F(FakeJudge, DiagnosesNothingAndLooksForNoRacesWhereThereIsNoCuda) {
  auto evaluation = judged("copy fail");
  for (const auto& evidence : evaluation.evidence)
    EXPECT_NE(evidence.guard, name_of(Guard::diagnosis));
  Judge judge(*task_, device::find_device("fake:1"), quick());
  const auto candidate =
      task::candidate_from(std::string(copy_plan) + "copy", core::Language::fake, "copy.fake");
  ASSERT_TRUE(candidate.ok());
  core::Evaluation accepted;
  accepted.outcome = Outcome::accepted;
  check_races(judge, *candidate, {}, accepted);
  EXPECT_EQ(accepted.outcome, Outcome::accepted);
  EXPECT_TRUE(accepted.evidence.empty() && accepted.metrics.empty());
}

TEST_F(FakeJudge, LooksAtEveryTimedOutput) {
  const auto evaluation =
      judged("copy after=9 zeros");  // right while it is verified, wrong once it is timed
  EXPECT_EQ(evaluation.outcome, Outcome::wrong) << why(evaluation);
  JudgeOptions options = quick();
  options.guards.switch_off(Guard::verify_timed);
  EXPECT_EQ(judged("copy after=9 zeros", options).outcome, Outcome::accepted);
}

TEST_F(FakeJudge, CountsProcessesLeftBehind) {
  const auto evaluation = judged("copy fork");
  EXPECT_EQ(evaluation.outcome, Outcome::cheating) << why(evaluation);
}

TEST_F(FakeJudge, RejectsATimeUnderTheFloor) {
  JudgeOptions options = quick();
  options.ceilings.copy = 1;  // a byte a second: whatever the machine does is too fast
  Judge judge(
      *task_,
      [] {
        auto info = device::find_device("fake:0");
        info.l2_bytes = 0;
        return info;
      }(),
      options);
  const auto evaluation = judge.evaluate(candidate("copy"), {});
  EXPECT_EQ(evaluation.outcome, Outcome::below_floor);
  EXPECT_THAT(why(evaluation), HasSubstr("compulsory bytes"));
}

TEST_F(FakeJudge, RejectsArgumentsThatDoNotFitTheKernel) {
  auto made =
      task::candidate_from(std::string(copy_plan) + "kernel run(buffer, buffer, int) copy\n",
                           core::Language::fake, "test.fake");
  Judge judge(*task_, device::find_device("fake:0"), quick());
  const auto evaluation = judge.evaluate(*made, {});
  EXPECT_EQ(evaluation.outcome, Outcome::rejected);
  EXPECT_THAT(why(evaluation), HasSubstr("takes 3 arguments, the plan gives it 2"));
  EXPECT_THAT(why(evaluation), HasSubstr("test.fake:2"));
}

TEST_F(FakeJudge, TellsABuildFailureWithItsLine) {
  const auto evaluation = judged("no_such_behaviour");
  EXPECT_EQ(evaluation.outcome, Outcome::build_failed);
  EXPECT_THAT(evaluation.build_log, HasSubstr("test.fake:8"));
}

TEST_F(FakeJudge, LabelsResultsThatChangeFromCallToCall) {
  const auto evaluation = judged("copy every=3 noise=1e-7", quick(), core::Depth::certify);
  EXPECT_EQ(evaluation.outcome, Outcome::accepted) << why(evaluation);
  EXPECT_TRUE(std::any_of(evaluation.evidence.begin(), evaluation.evidence.end(),
                          [](const auto& e) { return e.guard == "repeat" && !e.convicts; }));
}

TEST_F(FakeJudge, ComparesOnlyWhatIsRight) {
  Judge judge(*task_, device::find_device("fake:0"), quick());
  const auto result = compare(judge, candidate("copy"), candidate("zeros"), {}, {}, few_rounds);
  EXPECT_FALSE(result.compared);
  EXPECT_EQ(result.a.outcome, Outcome::accepted);
  EXPECT_EQ(result.b.outcome, Outcome::wrong);
  EXPECT_TRUE(
      compare(judge, candidate("copy"), candidate("copy ns=5"), {}, {}, few_rounds).compared);
}

TEST_F(FakeJudge, ComparesOnlyWhatIsTimed) {
  Judge judge(*task_, device::find_device("fake:1"), quick());
  EvaluateOptions odd;
  odd.case_name = "odd";
  EXPECT_THROW(compare(judge, candidate("copy"), candidate("copy"), odd, odd, few_rounds),
               base::Error);
}

// Each process of the fake GPU is a little faster or slower than the next one, for as long as it
// lives.
TEST_F(FakeJudge, WhatDiffersBetweenProcessesCancelsWhereTheyExchangeTheirCandidates) {
  Judge judge(*task_, device::find_device("fake:1"), quick());
  const auto kernel = candidate("copy ns=100000 process=0.1"),
             slower = candidate("copy ns=101000 process=0.1");
  const CompareRule rule = compare_rule(core::ClockKind::device);
  const auto same = compare(judge, kernel, kernel, {}, {}, rule);
  ASSERT_TRUE(same.compared) << why(same.a) << why(same.b);
  EXPECT_EQ(same.word, core::Comparison::same);
  EXPECT_EQ(same.stopped_by, Stop::decided);
  EXPECT_EQ(same.rounds, rule.fewest_rounds);
  EXPECT_EQ(same.blocks, 2 * same.rounds);
  EXPECT_NEAR(same.ratio_estimate, 1, 1e-9);
  const auto other = compare(judge, kernel, slower, {}, {}, rule);
  EXPECT_EQ(other.word, core::Comparison::slower);
  EXPECT_NEAR(other.ratio_estimate, 1.01, 1e-9);
  CompareRule in_place = rule;
  in_place.exchange = false;
  const auto apart = compare(judge, kernel, kernel, {}, {}, in_place);
  EXPECT_GT(std::abs(apart.ratio_estimate - 1), 1e-9) << "their difference stays";
  EXPECT_EQ(apart.rule.margin, 0.01);
}

// Where a process has mapped memory makes its calls a little faster or slower, for as long as it
// lies there.
TEST_F(FakeJudge, WhereMemoryLiesIsCommonToBothSides) {
  Judge judge(*task_, device::find_device("fake:1"), quick());
  const auto kernel = candidate("copy ns=100000 place=0.1");
  const auto same = compare(judge, kernel, kernel, {}, {}, compare_rule(core::ClockKind::device));
  ASSERT_TRUE(same.compared) << why(same.a) << why(same.b);
  EXPECT_EQ(same.word, core::Comparison::same);
  EXPECT_NEAR(same.ratio_estimate, 1, 1e-9);
}

TEST_F(FakeJudge, WhatIsWrongAfterAnExchangeIsTheCandidatesInWhicheverProcess) {
  Judge judge(*task_, device::find_device("fake:1"), quick());
  CompareRule rule = few_rounds;
  rule.fewest_rounds = rule.most_rounds = 8;
  // A runner's calls are counted from its start: those of the first few rounds are right.
  for (const bool first : {true, false}) {
    const auto right = candidate("copy"), late = candidate("copy after=24 zeros");
    const auto result = first ? compare(judge, late, right, {}, {}, rule)
                              : compare(judge, right, late, {}, {}, rule);
    EXPECT_FALSE(result.compared);
    EXPECT_EQ((first ? result.a : result.b).outcome, Outcome::wrong);
    EXPECT_EQ((first ? result.b : result.a).outcome, Outcome::accepted);
  }
}

// Nothing stops queued work on a GPU. On the CPU a runner is stopped while it waits, so that guard
// is off here, and a thread of the one side does what a queued kernel could do.
TEST_F(FakeJudge, WhatOneSideWritesIsNeverFoundInTheOthersResults) {
  JudgeOptions options = quick();
  options.guards.switch_off(Guard::freeze);
  CompareRule rule = few_rounds;
  rule.fewest_rounds = rule.most_rounds = 40;  // with one place for both, one write of many hits
  const auto honest = candidate("copy"), trespasser = candidate("copy trespass");
  for (const bool own_buffers : {true, false}) {
    if (!own_buffers) options.guards.switch_off(Guard::own_buffers);
    Judge judge(*task_, device::find_device("fake:0"), options);
    const auto result = compare(judge, honest, trespasser, {}, {}, rule);
    EXPECT_EQ(result.compared, own_buffers) << why(result.a) << why(result.b);
    EXPECT_EQ(result.a.outcome, own_buffers ? Outcome::accepted : Outcome::wrong) << why(result.a);
    EXPECT_EQ(result.b.outcome, Outcome::accepted) << why(result.b);
  }
}

}  // namespace
}  // namespace hone::judge
