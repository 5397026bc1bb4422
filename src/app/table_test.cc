#include "app/table.h"

#include <gtest/gtest.h>

#include "app/test_support.h"
#include "base/json_probe.h"
#include "store/test_support.h"

namespace hone::app {
namespace {

struct TableRequests : ::testing::Test {
  store::testing::Fixture f;
  RecordingSink sink;
  TableRequest request;

  void SetUp() override {
    const auto problem = store::testing::a_task("level1_1");
    const auto candidate = store::testing::a_candidate("quick.cu");
    record_task(f.archive, problem);
    record_candidate(f.archive, candidate);
    core::Evaluation e = store::testing::an_evaluation(problem, candidate, {});
    for (const char* name : {"fp32", "tf32", "protocol"})
      e.metrics.push_back({fmt::format("class.{}.solved", name), "1", 1.0, "", "", {}, {}});
    store::record_evaluation(f.archive, e, "H200");
    request.archive = f.path.string();
    request.baselines = {(f.folder.path() / "baselines.jsonl").string()};
    tables::BaselineLine line;
    line.problem = "level1_1";
    line.class_name = "fp32";
    line.device = "GPU-1234";
    line.device_name = "H200";
    line.eager.median = 2.3e-3;
    tables::append_baseline(request.baselines.front(), line);
  }
};

TEST_F(TableRequests, GiveScoresBesideTheBaselinesOfTheFilesNamed) {
  request.markdown = (f.folder.path() / "table.md").string();
  const auto result = table(request, sink);
  ASSERT_EQ(result.scores.size(), 3u);
  EXPECT_DOUBLE_EQ(*result.scores[0].speedup(), 2);
  EXPECT_EQ(base::probe(result)["scores"][0]["candidate"], "quick.cu");
  EXPECT_EQ(base::read_file(request.markdown), to_markdown(result));
}

TEST_F(TableRequests, TakeProblemsOfKernelBenchWithoutAskingPython) {
  request.tasks = {"kernelbench:level1/1", "kernelbench:level1/2"};
  const auto result = table(request, sink);
  ASSERT_EQ(result.scores.size(), 6u);
  EXPECT_TRUE(result.scores[0].solved);
  EXPECT_FALSE(result.scores[3].tried);
}

TEST_F(TableRequests, NameADeviceByAPartOfItsName) {
  request.device = "H2";
  EXPECT_EQ(table(request, sink).scores.size(), 3u);
  request.device = "B200";
  EXPECT_THROW(table(request, sink), base::Error);
}

}  // namespace
}  // namespace hone::app
