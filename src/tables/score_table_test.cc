// What `hone table` counts, from an archive made here: no device.
#include "tables/score_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json_probe.h"
#include "store/test_support.h"

namespace hone::tables {
namespace {

using core::Depth;
using core::Outcome;
using ::testing::AllOf;
using ::testing::HasSubstr;

struct TableOfAnArchive : ::testing::Test {
  store::testing::Fixture f;
  store::TaskRecord problem = store::testing::a_task("level1_1");
  store::CandidateRecord quick = store::testing::a_candidate("quick.cu"),
                         slow = store::testing::a_candidate("slow.cu");

  void SetUp() override {
    record_task(f.archive, problem);
    record_candidate(f.archive, quick);
    record_candidate(f.archive, slow);
  }

  core::Evaluation evaluation(const store::CandidateRecord& candidate, double seconds) {
    core::Evaluation e = store::testing::an_evaluation(problem, candidate, {});
    e.geomean = seconds;
    for (const char* name : {"fp32", "tf32", "protocol"})
      e.metrics.push_back({fmt::format("class.{}.solved", name), "1", 1.0, "", "", {}, {}});
    return e;
  }
  void record(const core::Evaluation& e) { store::record_evaluation(f.archive, e, "H200"); }
  void refuse(const store::CandidateRecord& candidate) {
    core::Evaluation e = store::testing::an_evaluation(problem, candidate, {});
    e.key.depth = Depth::certify;
    e.outcome = Outcome::wrong;
    e.geomean.reset();
    e.evidence = {{"tolerance", 27, true, "", "Element 5 is far off."}};
    record(e);
  }

  Score fp32() {
    const auto table = score_table(f.archive, {});
    EXPECT_EQ(table.scores.size(), 3u);
    return table.scores.at(0);
  }
};

TEST_F(TableOfAnArchive, DoesNotCountACandidateThatADeeperEvaluationRefused) {
  record(evaluation(slow, 2e-3));
  record(evaluation(quick, 1e-3));
  EXPECT_EQ(fp32().candidate, "quick.cu");
  refuse(quick);
  EXPECT_EQ(fp32().candidate, "slow.cu");
  EXPECT_EQ(fp32().seconds, 2e-3);
  refuse(slow);
  EXPECT_FALSE(fp32().solved);
  EXPECT_TRUE(fp32().tried);
  EXPECT_FALSE(fp32().seconds);
}

TEST_F(TableOfAnArchive, HasTheTimeOfTheEvaluationThatStands) {
  record(evaluation(quick, 1e-3));
  core::Evaluation certified = evaluation(quick, 1.1e-3);
  certified.key.depth = Depth::certify;
  record(certified);
  EXPECT_EQ(fp32().seconds, 1.1e-3);
}

TEST_F(TableOfAnArchive, StillCountsACandidateThatWasTunedSince) {
  record(evaluation(quick, 1e-3));
  core::Evaluation point = store::testing::an_evaluation(problem, quick, {});
  point.geomean = 0.9e-3;
  record(point);
  EXPECT_TRUE(fp32().solved) << "a tuner does not place its points in classes";
  EXPECT_EQ(fp32().seconds, 1e-3);
}

TEST_F(TableOfAnArchive, DoesNotCountAClassThatCertifyingTookAway) {
  record(evaluation(quick, 1e-3));
  core::Evaluation certified = evaluation(quick, 1e-3);
  certified.key.depth = Depth::certify;
  for (auto& metric : certified.metrics)
    if (metric.tag == "class.fp32.solved") metric.value = 0;
  record(certified);
  EXPECT_FALSE(fp32().solved);
}

TEST_F(TableOfAnArchive, HasTorchsBestOfTheSameKindOfDevice) {
  record(evaluation(quick, 1e-3));
  BaselineLine line;
  line.problem = "level1_1";
  line.class_name = "fp32";
  line.device = "GPU-other";
  line.device_name = "H200";
  line.eager.median = 3e-3;
  ScoreTableOptions options;
  options.baselines = {line};
  auto table = score_table(f.archive, options);
  EXPECT_EQ(table.scores.at(0).speedup(), 3);
  EXPECT_THAT(to_markdown(table), AllOf(HasSubstr("| level1_1 | fp32 | 1 | 3 | eager | 3.00 † |"),
                                        HasSubstr("measured on another device of the same name")));
  EXPECT_EQ(base::probe(table)["scores"][0]["baseline_device"], "GPU-other");
  EXPECT_EQ(base::probe(table)["summaries"][0]["fast_2"], 1);
  options.baselines.front().device_name = "another kind";
  EXPECT_FALSE(score_table(f.archive, options).scores.at(0).speedup());
}

TEST_F(TableOfAnArchive, HasOneKindOfDevice) {
  record(evaluation(quick, 1e-3));
  core::Evaluation elsewhere = evaluation(slow, 2e-3);
  elsewhere.key.device = "GPU-9";
  store::record_evaluation(f.archive, elsewhere, "B200");
  EXPECT_THROW(score_table(f.archive, {}), base::Error);
  ScoreTableOptions options;
  options.device = "B2";
  EXPECT_EQ(score_table(f.archive, options).scores.at(0).candidate, "slow.cu");
}

TEST_F(TableOfAnArchive, HasProblemsThatWereNotTriedIfTheyAreNamed) {
  record(evaluation(quick, 1e-3));
  ScoreTableOptions options;
  options.problems = {"level1_2"};
  const auto table = score_table(f.archive, options);
  ASSERT_EQ(table.scores.size(), 3u);
  EXPECT_EQ(table.scores[0].problem, "level1_2");
  EXPECT_FALSE(table.scores[0].tried);
  EXPECT_THAT(to_markdown(table), HasSubstr("| not tried |"));
}

}  // namespace
}  // namespace hone::tables
