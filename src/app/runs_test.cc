#include "app/runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json_probe.h"
#include "report/summary_example.h"
#include "run/old_run_example.h"
#include "store/tuning.h"

namespace hone::app {
namespace {

using base::JsonProbe;
using store::testing::a_task;
using store::testing::an_evaluation;

struct ListOfRuns : ::testing::Test {
  store::testing::Fixture f;
  report::example::ExampleRun example{f.archive};

  std::vector<RunLine> listed(int limit = 20) { return list(limit).runs; }
  RunsResult list(int limit = 20) {
    RunsRequest request;
    request.archive = f.path.string();
    request.limit = limit;
    return runs(request);
  }
  RunShown shown(const std::string& run) {
    ShowRunRequest request;
    request.archive = f.path.string();
    request.run = run;
    return show_run(request);
  }
};

TEST_F(ListOfRuns, HasRunsOfModelsBesideTuning) {
  store::TuningRun tuning;
  tuning.task = a_task().hash;
  tuning.candidate = example.candidates[0].line.hash;
  tuning.device = "GPU-1234";
  const std::string id = store::start_tuning_run(f.archive, tuning);
  const JsonProbe lines = base::probe(list())["runs"];
  ASSERT_EQ(lines.size(), 2u);
  const JsonProbe research = lines[0]["kind"] == "research" ? lines[0] : lines[1];
  EXPECT_EQ(research["id"], example.run);
  EXPECT_EQ(research["members"], 6);
  EXPECT_EQ(research["strategy"], "scientist");
  EXPECT_DOUBLE_EQ(research["best_s"].number(), 0.51e-3);
  EXPECT_DOUBLE_EQ(research["usd"].number(), 0.64);
  EXPECT_EQ(listed(1).size(), 1u);
  EXPECT_EQ(std::get<TuningRunShown>(shown(id.substr(0, 6))).line.id, id);
}

TEST_F(ListOfRuns, HasRunsOfArchivesBeforeTheJournal) {
  const run::example::OldExampleRun old(f.archive);
  for (const auto& line : listed()) {
    EXPECT_EQ(line.tried, 6u) << line.id;
    EXPECT_DOUBLE_EQ(*line.best, 0.51e-3) << line.id;
    EXPECT_DOUBLE_EQ(line.compared->ratio, 0.5) << line.id;
  }
}

TEST_F(ListOfRuns, ShowsARunWithItsNodesAndWhatCameOfThem) {
  const JsonProbe told = base::probe(shown(example.run));
  EXPECT_EQ(told["members"].size(), 6u);
  EXPECT_EQ(told["lineage"].dump(), "[1,3,6]");
  EXPECT_EQ(told["certified"], true);
  EXPECT_EQ(told["failures"][0]["members"].dump(), "[2,5]");
}

TEST_F(ListOfRuns, DoesNotCountABestThatWasRefusedSince) {
  core::Evaluation e = an_evaluation(a_task(), example.candidates.back(), {});
  e.key.depth = core::Depth::certify;
  e.outcome = core::Outcome::cheating;
  e.geomean.reset();
  e.evidence = {{"canary", 3, true, "prime", "It wrote behind its output."}};
  store::record_evaluation(f.archive, e, "H200");
  const JsonProbe line = base::probe(list())["runs"][0];
  EXPECT_DOUBLE_EQ(line["best_s"].number(), 0.8e-3) << "the next one's, as screened";
  EXPECT_EQ(line["compared"], nullptr) << "that was of the one that is refused";
}

}  // namespace
}  // namespace hone::app
