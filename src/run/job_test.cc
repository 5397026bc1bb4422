#include "run/job.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/files.h"
#include "device/device.h"
#include "run/job_test_task.h"
#include "task/task_loader.h"

namespace hone::run {
namespace {

using core::Outcome;
using testing::HasSubstr;

class Work : public testing::Test {
 protected:
  static void SetUpTestSuite() { place_ = std::make_unique<FakeTask>(); }
  static void TearDownTestSuite() { place_.reset(); }

  static JobResult done(const Job& job) {
    judge::Judge judge(place_->task(), device::find_device("fake:1"), quick_judging());
    return execute(job, judge);
  }

  static std::unique_ptr<FakeTask> place_;
};
std::unique_ptr<FakeTask> Work::place_;

// Everything in it is told by its text, so equal texts are equal values.
JobResult there_and_back(const JobResult& result) {
  const std::string text = to_text(result);
  auto back = result_from(text);
  EXPECT_TRUE(back.ok()) << (back.ok() ? "" : back.error());
  EXPECT_EQ(to_text(*back), text);
  return *back;
}

TEST_F(Work, JudgesACandidateAndComparesItWithTheIncumbent) {
  Job job = place_->job("j1", "copy");
  job.compare_with = fake_candidate("copy ns=30000000");
  const JobResult result = there_and_back(done(job));
  EXPECT_EQ(result.error, "");
  ASSERT_TRUE(result.evaluation);
  EXPECT_EQ(result.evaluation->outcome, Outcome::accepted);
  EXPECT_GE(result.evaluation->cases.at(1).samples.size(), 7u);
  ASSERT_TRUE(result.comparison) << result.not_compared;
  EXPECT_EQ(result.comparison->word, core::Comparison::faster);
  EXPECT_LT(result.comparison->ratio, 1);
  EXPECT_EQ(result.comparison->b.candidate, result.evaluation->key.candidate);
  EXPECT_FALSE(result.comparison->cases.at(0).block_ratios.empty());
  EXPECT_EQ(result.device.id, "fake:1");
}

TEST_F(Work, DoesNotCompareACandidateThatIsWrong) {
  Job job = place_->job("j2", "zeros");
  job.compare_with = fake_candidate("copy");
  const JobResult result = there_and_back(done(job));
  EXPECT_EQ(result.evaluation->outcome, Outcome::wrong);
  EXPECT_FALSE(result.comparison);
}

TEST_F(Work, ExplainsACandidateThatItAccepted) {
  Job job = place_->job("j20", "copy");
  job.profile.emplace();
  const JobResult result = there_and_back(done(job));
  EXPECT_EQ(result.evaluation->outcome, Outcome::accepted);
  ASSERT_TRUE(result.profile) << result.not_profiled;
  EXPECT_EQ(result.profile->case_name, "timed");
  EXPECT_EQ(result.profile->key.candidate, result.evaluation->key.candidate);
  EXPECT_GT(result.profile->seconds, 0);
}

TEST_F(Work, DoesNotJudgeAgainWhatIsOnlyToBeExplained) {
  Job job = place_->job("j21", "copy");
  job.profile = ProfileJob{done(job).evaluation, {}};
  job.profile->evaluation->cases.at(1).median = 12.5;
  const JobResult result = there_and_back(done(job));
  EXPECT_FALSE(result.evaluation);
  ASSERT_TRUE(result.profile) << result.not_profiled;
  EXPECT_EQ(result.profile->seconds, 12.5);
}

TEST_F(Work, DoesNotExplainACandidateThatIsWrong) {
  Job job = place_->job("j22", "zeros");
  job.profile.emplace();
  EXPECT_FALSE(done(job).profile);
  job.profile->evaluation = done(place_->job("j23", "zeros")).evaluation;
  const JobResult result = there_and_back(done(job));
  EXPECT_FALSE(result.profile);
  EXPECT_THAT(result.not_profiled, HasSubstr("not accepted"));
}

TEST_F(Work, DoesNotExplainACandidateThatIsFarTooSlow) {
  Job job = place_->job("j26", "copy");
  job.profile.emplace();
  job.profile->under = 1e-12;
  const JobResult result = there_and_back(done(*job_from(to_text(job))));
  EXPECT_EQ(result.evaluation->outcome, Outcome::accepted);
  EXPECT_FALSE(result.profile);
  EXPECT_THAT(result.not_profiled, HasSubstr("slower than the incumbent"));
}

TEST_F(Work, CarriesWhatIsToBeExplainedButNoCommands) {
  Job job = place_->job("j24", "copy");
  job.profile = ProfileJob{done(job).evaluation, {"rm -rf /"}};
  const std::string text = to_text(job);
  EXPECT_EQ(text.find("rm -rf"), std::string::npos);
  const auto back = job_from(text);
  ASSERT_TRUE(back.ok()) << back.error();
  ASSERT_TRUE(back->profile);
  EXPECT_EQ(back->profile->evaluation->key.candidate, job.profile->evaluation->key.candidate);
  EXPECT_EQ(to_text(*back), text);
}

TEST_F(Work, RefusesAProfileOfAnotherShape) {
  Job job = place_->job("j25", "copy");
  job.profile.emplace();
  auto text = to_text(done(job));
  const auto at = text.find("\"bound\":\"");
  ASSERT_NE(at, std::string::npos);
  text.insert(at + std::string("\"bound\":\"").size(), "un");
  EXPECT_FALSE(result_from(text).ok());
}

TEST_F(Work, SaysWhyThereIsNoComparisonWhereTheIncumbentFails) {
  Job job = place_->job("j4", "copy");
  job.compare_with = fake_candidate("crash");
  const JobResult result = there_and_back(done(job));
  EXPECT_EQ(result.evaluation->outcome, Outcome::accepted);
  EXPECT_FALSE(result.comparison);
  EXPECT_THAT(result.not_compared, HasSubstr("incumbent"));
}

TEST_F(Work, MeasuresAFreshJobWithAJudgeOfItsOwn) {
  Job job = place_->job("j5", "copy");
  job.fresh = true;
  job.depth = core::Depth::certify;
  const JobResult result = there_and_back(done(job));
  EXPECT_EQ(result.evaluation->outcome, Outcome::accepted);
  EXPECT_EQ(result.evaluation->key.depth, core::Depth::certify);
}

TEST_F(Work, RunsAProbeAlone) {
  Job job;
  job.name = "p1";
  job.probe = fake_probe("nothing");
  const JobResult result = there_and_back(done(job));
  EXPECT_FALSE(result.evaluation);
  ASSERT_TRUE(result.probe) << result.probe_failure->text;
  ASSERT_EQ(result.probe->numbers.size(), 2u);
  EXPECT_EQ(result.probe->numbers[1].label, "second one");
  EXPECT_EQ(result.probe->numbers[1].value, 0);
}

TEST_F(Work, TellsHowAProbeFailed) {
  Job job;
  job.name = "p2";
  job.probe = fake_probe("crash");
  const JobResult result = there_and_back(done(job));
  ASSERT_TRUE(result.probe_failure);
  EXPECT_EQ(result.probe_failure->outcome, Outcome::crashed);
}

core::Candidate named(const std::string& name, core::Language language) {
  return *task::candidate_from(
      "/* hone 1\n[[launch]]\nkernel = \"run\"\ngrid = [1]\nblock = [1]\nargs = []\n*/\n", language,
      name);
}

TEST(WorkText, CarriesAJobThereAndBack) {
  Job job;
  job.name = "run-1.2";
  job.task_folder = "/tasks/softmax";
  job.task = "abc";
  job.candidate = named("a.cu", core::Language::cuda);
  job.candidate->source += "// \xff, a broken character\n";
  job.point = {{"BLOCK", 256}};
  job.depth = core::Depth::certify;
  job.case_name = "prime";
  job.compare_with = named("b.cl", core::Language::opencl);
  job.compare_point = {{"VEC", 4}};
  job.seed = named("c.cl", core::Language::opencl);
  job.fresh = true;
  job.call_seconds = 7.5;
  job.probe = "probe";
  const std::string text = to_text(job);
  const auto back = job_from(text);
  ASSERT_TRUE(back.ok()) << back.error();
  EXPECT_EQ(to_text(*back), text);
  EXPECT_EQ(back->point.at("BLOCK"), 256);
  EXPECT_EQ(back->compare_with->name, "b.cl");
  EXPECT_EQ(back->compare_with->hash, job.compare_with->hash);
  EXPECT_EQ(back->seed->name, "c.cl");
  EXPECT_EQ(back->task_folder, "/tasks/softmax");
}

TEST(WorkText, CarriesAProbeWithItsLanguage) {
  Job job;
  job.probe = "probe";
  job.probe_language = core::Language::cuda;
  const auto back = job_from(to_text(job));
  ASSERT_TRUE(back.ok()) << back.error();
  EXPECT_FALSE(back->candidate);
  EXPECT_EQ(language_of(*back), core::Language::cuda);
}

TEST(WorkText, RefusesASourceWithoutAPlan) {
  Job job;
  job.candidate = fake_candidate("copy");
  job.candidate->source = "kernel run(buffer, buffer) copy\n";
  EXPECT_THAT(job_from(to_text(job)).error(), HasSubstr("its candidate cannot be read"));
}

TEST(WorkText, KeepsNumbersThatJsonDoesNotHave) {
  JobResult result;
  result.evaluation.emplace();
  core::CaseResult which;
  which.samples = {0.1, INFINITY, -0.0, 1e-300};
  which.median = NAN;
  which.interval = {-INFINITY, INFINITY};
  result.evaluation->cases.push_back(which);
  const JobResult back = there_and_back(result);
  const core::CaseResult& same = back.evaluation->cases.at(0);
  EXPECT_EQ(same.samples, which.samples);
  EXPECT_TRUE(std::isnan(same.median));
  EXPECT_EQ(same.interval.low, -INFINITY);
}

TEST(WorkText, RefusesAnotherFormatAndAnythingMisshapen) {
  JobResult result;
  result.evaluation.emplace();
  std::string text = to_text(result);
  for (std::size_t cut = 0; cut < text.size(); cut += 7)
    EXPECT_FALSE(result_from(text.substr(0, cut)).ok());
  for (const char* bad :
       {"", "[]", "null", "7", "{}", R"({"format":2})", R"({"format":2,"name":[]})"}) {
    EXPECT_FALSE(result_from(bad).ok()) << bad;
    EXPECT_FALSE(job_from(bad).ok()) << bad;
  }
  text.replace(text.find("\"format\":2"), 10, "\"format\":9");
  EXPECT_THAT(result_from(text).error(), HasSubstr("2"));
}

}  // namespace
}  // namespace hone::run
