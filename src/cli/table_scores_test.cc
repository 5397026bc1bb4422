// What `hone table` counts, from an archive made here: no device.
#include "cli/table_scores.h"

#include <gtest/gtest.h>

#include "store/test_support.h"

namespace hone::cli {
namespace {

using core::Depth;
using core::Outcome;

struct TableOfAnArchive : ::testing::Test {
  store::testing::Fixture f;
  store::TaskRecord problem = store::testing::a_task("level1_1");
  store::CandidateRecord quick = store::testing::a_candidate("quick.cu"), slow = store::testing::a_candidate("slow.cu");
  std::string none = (f.folder.path() / "baselines.jsonl").string();  // no file: no baselines

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

  tables::Score fp32() {
    TableOptions options;
    options.archive = f.path.string();
    options.baselines = {none};
    const auto gathered = gather_scores(options);
    EXPECT_EQ(gathered.scores.size(), 3u);
    return gathered.scores.at(0);
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

}  // namespace
}  // namespace hone::cli
