// What is recorded of torch's times, as a front end gets it: nothing is measured, so there is no
// device and no Python.
#include "app/baseline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/test_support.h"
#include "base/error.h"
#include "base/files.h"
#include "base/json_probe.h"

namespace hone::app {
namespace {

using ::testing::HasSubstr;

struct RecordedBaselinesOfAFile : ::testing::Test {
  base::TemporaryFolder folder{"app-baseline-test"};
  RecordingSink sink;
  BaselineRequest request;

  void SetUp() override {
    request.recorded = true;
    request.out = (folder.path() / "lines.jsonl").string();
    add("level1_1", 2e-3);
    add("level1_1", 1e-3);
    add("level1_2", 0);
  }
  void add(const std::string& problem, double eager) {
    tables::BaselineLine line;
    line.problem = problem;
    line.reference = "hash of " + problem;
    line.class_name = "fp32";
    line.device = "GPU-1";
    line.device_name = "a device";
    line.eager.median = eager;
    if (eager <= 0) line.failed = "it has no Model";
    tables::append_baseline(request.out, line);
  }
};

TEST_F(RecordedBaselinesOfAFile, AreTheLatestOfEveryProblem) {
  const auto result = baseline(request, sink);
  ASSERT_EQ(result.lines.size(), 2u);
  EXPECT_EQ(result.lines[0].eager.median, 1e-3);
  EXPECT_EQ(result.problems, 2u);
  EXPECT_TRUE(result.complete);
  const auto json = base::probe(result);
  EXPECT_EQ(json["baselines"][0]["problem"], "level1_1");
  EXPECT_EQ(json["baselines"][1]["failed"], "it has no Model");
  EXPECT_EQ(json["complete"], true);
}

TEST_F(RecordedBaselinesOfAFile, CanBeLimitedToProblemsByName) {
  request.tasks = {"kernelbench:level1/2"};
  EXPECT_EQ(baseline(request, sink).lines.size(), 1u);
  request.tasks = {"level1_1"};
  EXPECT_EQ(baseline(request, sink).lines.at(0).problem, "level1_1");
}

TEST_F(RecordedBaselinesOfAFile, AreToldOfAndWrittenAsATable) {
  request.markdown = (folder.path() / "table.md").string();
  std::size_t told = 0;
  baseline(request, sink, [&](const auto& lines) { told += lines.size(); });
  EXPECT_EQ(told, 2u);
  EXPECT_THAT(base::read_file(request.markdown), HasSubstr("1 of 2 problems measured"));
}

TEST(BaselineRequests, NameProblemsWhereSomethingIsToBeMeasured) {
  RecordingSink sink;
  EXPECT_THROW(baseline({}, sink), base::Error);
}

}  // namespace
}  // namespace hone::app
