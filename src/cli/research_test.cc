// What the commands say of a run of the scientist, from an archive made here: no model, no device.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/named_candidate.h"
#include "app/report.h"
#include "base/json_probe.h"
#include "cli/research_runs.h"
#include "cli/runs.h"
#include "report/summary_example.h"
#include "report/summary_markdown.h"
#include "run/tune.h"
#include "store/tuning.h"

namespace hone::cli {
namespace {

using report::example::ExampleRun;
using store::testing::a_candidate;
using store::testing::a_task;
using store::testing::an_evaluation;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

struct ResearchInTheArchive : ::testing::Test {
  store::testing::Fixture f;
  ExampleRun example{f.archive};

  report::RunSummary summary() { return report::load_summary(f.archive, example.run, true); }
  std::string listed() {
    app::RunsRequest request;
    request.archive = f.path.string();
    return runs_text(app::runs(request).runs, {});
  }
  std::string tuning_run(const std::string& id) {
    app::ShowRunRequest request;
    request.archive = f.path.string();
    request.run = id;
    return tuning_run_text(std::get<app::TuningRunShown>(app::show_run(request)), {});
  }
};

TEST_F(ResearchInTheArchive, StandsBesideTuningInTheListOfRuns) {
  store::TuningRun tuning;
  tuning.task = a_task().hash;
  tuning.candidate = example.candidates[0].line.hash;
  tuning.device = "GPU-1234";
  const std::string id = store::start_tuning_run(f.archive, tuning);
  EXPECT_THAT(listed(),
              AllOf(HasSubstr(example.run + "  research  softmax  scientist"), HasSubstr("2.00×"),
                    HasSubstr("finished"), HasSubstr("$0.64"), HasSubstr(id + "  tuning"),
                    HasSubstr("not concluded"), Not(HasSubstr("default stands"))))
      << "how the tuning run ended is not recorded";
  EXPECT_THAT(tuning_run(id.substr(0, 6)), AllOf(HasSubstr("tuning run " + id), HasSubstr("1.cl")));
}

TEST_F(ResearchInTheArchive, ATuningRunIsToldByHowItEnded) {
  store::TuningRun tuning;
  tuning.task = a_task().hash;
  tuning.candidate = example.candidates[0].line.hash;
  tuning.device = "GPU-1234";
  const std::string id = store::start_tuning_run(f.archive, tuning);
  store::link_tuning_point(f.archive, id, example.certified);
  const auto told = [&](store::TuningState state, const std::string& note) {
    store::set_tuning_state(f.archive, id, state, note);
    return tuning_run(id);
  };
  using State = store::TuningState;
  EXPECT_THAT(told(State::failed, "the disk is full"), HasSubstr("not concluded"));
  EXPECT_THAT(told(State::stopped, run::interrupted_note), HasSubstr("not concluded"));
  EXPECT_THAT(told(State::stopped, "2 minutes were allowed"), HasSubstr("default stands"));
  EXPECT_THAT(told(State::finished, "every point was tried"), HasSubstr("default stands"));
}

TEST_F(ResearchInTheArchive, IsShownWithItsMembersAndItsSpending) {
  const std::string text = research_run_text(summary(), {});
  EXPECT_THAT(
      text,
      AllOf(HasSubstr("run " + example.run), HasSubstr("finished: the candidates are spent"),
            HasSubstr("00006: 510 µs, certified, 2.00× as fast as 00001"), HasSubstr("00006 *"),
            HasSubstr("00003 00001"), HasSubstr("build_failed"), HasSubstr("Load *four* values"),
            HasSubstr("30 to 50 %"), HasSubstr("saves 37.5 %"), HasSubstr("designer")));
}

TEST_F(ResearchInTheArchive, HasAReportWithTheResultFirst) {
  const std::string text = summary_markdown(summary(), nullptr, "report.svg");
  EXPECT_LT(text.find("## Result"), text.find("## What was asked"));
  EXPECT_THAT(text, AllOf(HasSubstr("**510 µs** where the seed takes 1.02 ms, **2.00× as fast** "
                                    "(99 %: 1.92× to 2.08×, side by side)"),
                          HasSubstr("83.0 % of this device's measured ceiling (memory"),
                          HasSubstr("Certified"), HasSubstr("![Best over time](report.svg)")));
  EXPECT_THAT(text, AllOf(HasSubstr("2 steps: 00001, 00003, 00006."),
                          HasSubstr("predicted: saves 30 to 50 %"),
                          HasSubstr("realised: saves 37.5 %"), HasSubstr("--- 00003\n+++ 00006\n"),
                          HasSubstr("its writer says: It was done as asked.")));
  EXPECT_THAT(
      text, AllOf(HasSubstr("3 of 6 candidates were not accepted"),
                  HasSubstr("(tolerance), 2: 00002, 00005"),
                  HasSubstr("Registers suffice for rows of 4096."), HasSubstr("it does not."),
                  HasSubstr("| writer | m, m-2 | 2 (1) | 1200 | 200 | 300 | 1200 / 1200 |"),
                  HasSubstr("Of 2 experiments with a working candidate 2 did what was predicted")));
}

TEST_F(ResearchInTheArchive, HasAReportInWhichNothingAStrangerWroteIsMarkup) {
  const std::string text = summary_markdown(summary(), nullptr, "");
  EXPECT_THAT(text,
              AllOf(HasSubstr("Keep rows \\| in registers"), HasSubstr("Load \\*four\\* values"),
                    HasSubstr("Element 5 is &lt;far&gt; off."), Not(HasSubstr("![Best"))));
}

TEST_F(ResearchInTheArchive, IsReportedBesideItsControlArm) {
  const ExampleRun control(f.archive, "oneshot");
  const auto other = report::load_summary(f.archive, control.run);
  EXPECT_THAT(
      summary_markdown(summary(), &other, ""),
      AllOf(HasSubstr("## Beside the control arm"), HasSubstr("oneshot (`" + control.run + "`)")));
  EXPECT_EQ(base::probe(app::ReportResult{summary(), other, "", {}})["beside"]["id"], control.run);
  EXPECT_EQ(summary_chart(summary(), &other).series.size(), 2u);
}

TEST_F(ResearchInTheArchive, IsToldEvenIfNothingCameOfIt) {
  store::ResearchRun begun;
  begun.task = a_task().hash;
  const auto empty = report::load_summary(f.archive, store::begin_run(f.archive, begun), true);
  EXPECT_THAT(summary_markdown(empty, nullptr, "x.svg"), HasSubstr("No candidate was accepted"));
  EXPECT_THAT(report::svg(summary_chart(empty, nullptr)), HasSubstr("</svg>"));
  EXPECT_EQ(base::probe(empty)["best"], nullptr);
  EXPECT_THAT(research_run_text(empty, {}), HasSubstr("killed"));
  EXPECT_THAT(listed(), HasSubstr("nothing accepted"));
}

TEST_F(ResearchInTheArchive, CallsADigestByItsName) {
  store::ResearchRun begun;
  begun.task = a_task().hash;
  begun.settings = R"({"strategy":"learn"})";
  const std::string digest = store::begin_run(f.archive, begun);
  EXPECT_THAT(listed(), AllOf(HasSubstr(digest + "  digest"), Not(HasSubstr("nothing accepted"))));
}

TEST_F(ResearchInTheArchive, HasAChartOfAllThatWasJudged) {
  const report::Chart chart = summary_chart(summary(), nullptr);
  ASSERT_EQ(chart.series.at(0).points.size(), 6u);
  EXPECT_EQ(chart.seed, 1.0e-3);
  EXPECT_FALSE(chart.series[0].points[1].seconds);
  EXPECT_EQ(chart.series[0].points[1].outcome, "wrong");
  EXPECT_TRUE(chart.series[0].points[5].certified);
}

// A candidate evaluated once more, by another command: what came of it is not the run's own.
std::string refuse(store::Archive& archive, const store::CandidateRecord& candidate) {
  core::Evaluation e = an_evaluation(a_task(), candidate, {});
  e.key.depth = core::Depth::certify;
  e.outcome = core::Outcome::cheating;
  e.geomean.reset();
  e.evidence = {{"canary", 3, true, "prime", "It wrote behind its output."}};
  return store::record_evaluation(archive, e, "H200");
}

TEST_F(ResearchInTheArchive, DoesNotCountABestThatWasRefusedSince) {
  const std::string refusal = refuse(f.archive, example.candidates.back());
  EXPECT_THAT(listed(), Not(HasSubstr("510 µs")));
  EXPECT_EQ(app::candidate_named(f.archive, example.run).hash, example.candidates[2].line.hash)
      << "hone best";
  const std::string shown = research_run_text(summary(), {});
  EXPECT_THAT(shown,
              AllOf(HasSubstr("00003: 800 µs, as screened"), HasSubstr("cheating, accepted before"),
                    HasSubstr("00006, the best until then: cheating (evaluation " + refusal + ")"),
                    Not(HasSubstr("510 µs")), Not(HasSubstr("500 µs"))));
  const std::string report = summary_markdown(summary(), nullptr, "");
  EXPECT_THAT(report,
              AllOf(HasSubstr("**800 µs**"), HasSubstr("4 of 6 candidates were not accepted"),
                    HasSubstr("**cheating** (canary), 1: 00006"),
                    HasSubstr("Node 00006, the best until then, was refused: cheating")));
  EXPECT_EQ(base::probe(summary())["members"][5]["refused"]["id"], refusal);
  EXPECT_FALSE(summary_chart(summary(), nullptr).series.at(0).points.at(5).seconds);
  EXPECT_EQ(app::representative_evaluation(f.archive, example.candidates.back().line.hash)->id,
            refusal);
}

TEST_F(ResearchInTheArchive, HasNoBestWhereAllWereRefusedSince) {
  for (const int number : {1, 3, 6}) refuse(f.archive, example.candidates.at(number - 1));
  EXPECT_THAT(listed(),
              AllOf(HasSubstr("nothing accepted"), Not(HasSubstr(" ms")), Not(HasSubstr(" µs"))));
  EXPECT_THROW(app::candidate_named(f.archive, example.run), base::Error);
  EXPECT_THAT(summary_markdown(summary(), nullptr, ""),
              HasSubstr("No candidate was accepted (6 were tried)."));
}

TEST_F(ResearchInTheArchive, CountsABestAgainThatWasAcceptedSince) {
  refuse(f.archive, example.candidates.back());
  core::Evaluation e = an_evaluation(a_task(), example.candidates.back(), {});
  e.key.depth = core::Depth::certify;
  store::record_evaluation(f.archive, e, "H200");
  EXPECT_THAT(listed(), AllOf(HasSubstr("510 µs"), HasSubstr("2.00×")))
      << "with the run's own figures";
}

struct TunedCandidate : ResearchInTheArchive {
  std::string tuning, winner;
  void SetUp() override {
    store::TuningRun run;
    run.task = a_task().hash;
    run.candidate = example.candidates[0].line.hash;
    run.device = "GPU-1234";
    tuning = store::start_tuning_run(f.archive, run);
    const auto tuned = a_candidate("tuned.cl");
    store::record_candidate(f.archive, tuned);
    core::Evaluation e = an_evaluation(a_task(), tuned);
    e.key.depth = core::Depth::certify;
    e.geomean = 0.7e-3;
    winner = store::record_evaluation(f.archive, e, "H200");
    store::set_tuning_state(f.archive, tuning, store::TuningState::finished, "", winner,
                            tuned.line.hash);
  }
  void refuse_winner() {
    core::Evaluation e = store::get_evaluation(f.archive, winner).evaluation;
    e.outcome = core::Outcome::wrong;
    e.geomean.reset();
    e.evidence = {{"tolerance", 27, true, "prime", "Element 5 is far off."}};
    store::record_evaluation(f.archive, e, "H200");
  }
};

TEST_F(TunedCandidate, IsNotTheBestOfItsRunIfItWasRefusedSince) {
  EXPECT_THAT(listed(), AllOf(HasSubstr("700 µs"), HasSubstr("BLOCK=256")));
  EXPECT_EQ(app::candidate_named(f.archive, tuning).name, "tuned.cl");
  refuse_winner();
  EXPECT_THAT(listed(), AllOf(HasSubstr("refused: wrong"), Not(HasSubstr("700 µs")),
                              Not(HasSubstr("BLOCK=256"))));
  EXPECT_THAT(tuning_run(tuning), AllOf(HasSubstr("refused: wrong"), Not(HasSubstr("700 µs"))));
  try {
    app::candidate_named(f.archive, tuning);
    ADD_FAILURE() << "it has no best";
  } catch (const base::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("wrong"));
  }
}

}  // namespace
}  // namespace hone::cli
