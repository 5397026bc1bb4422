#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "device/fake_device.h"
#include "exec/bundle_executor.h"
#include "exec/bundle_folder.h"
#include "run/evaluators.h"
#include "run/work_test_task.h"

namespace hone::run {
namespace {

using core::Outcome;
using testing::HasSubstr;

class RemoteEvaluatorTest : public testing::Test {
 protected:
  std::optional<Judged> judge(const std::string& behaviour, const std::string& compiler = "fake 1") {
    core::DeviceInfo info = device::fake_info();
    info.compiler = compiler;
    const auto evaluator =
        remote_evaluator(place_.task(), place_.task_folder(), info, exec::bundle_executor(away()), 5);
    JudgeRequest request;
    request.name = "r.1";
    const SourceText source = fake_source(behaviour);
    request.candidate = *task::candidate_from(source.source, source.language, source.name);
    return evaluator->judge(request, [] { return false; });
  }
  std::size_t jobs_away() const { return exec::BundleFolder(away()).pending().size(); }
  std::filesystem::path away() const { return place_.path() / "away"; }

  FakeTask place_;
};

TEST_F(RemoteEvaluatorTest, WhatTheCompilerHereRefusesMakesNoJourney) {
  const auto judged = judge("copy ns=NOWHERE");
  ASSERT_TRUE(judged);
  EXPECT_EQ(judged->evaluation.outcome, Outcome::build_failed);
  EXPECT_THAT(judged->evaluation.evidence.at(0).text, HasSubstr("NOWHERE"));
  EXPECT_EQ(judged->evaluation.key.task, place_.task().hash);
  EXPECT_EQ(jobs_away(), 0u);
}

TEST_F(RemoteEvaluatorTest, WhatBuildsGoesAway) {
  EXPECT_FALSE(judge("copy"));
  EXPECT_EQ(jobs_away(), 1u);
}

TEST_F(RemoteEvaluatorTest, AnotherCompilerThereHasItsOwnSay) {
  EXPECT_FALSE(judge("copy ns=NOWHERE", "fake 2"));
  EXPECT_EQ(jobs_away(), 1u);
}

TEST_F(RemoteEvaluatorTest, AResultIsTakenWhateverTheJobsWordsWere) {
  EXPECT_FALSE(judge("copy"));
  exec::BundleFolder(away()).put_job({"r.1", "what an older hone asked"});
  const SourceText source = fake_source("copy");
  EvalResult result;
  result.name = "r.1";
  EvalJob job;
  job.candidate = source;
  result.subject = subject_of(job);
  result.evaluation.emplace();
  result.evaluation->key.candidate = task::hash_of(source.source, source.language);
  result.evaluation->outcome = Outcome::wrong;
  exec::BundleFolder(away()).put_result({"r.1", to_text(result)});
  const auto judged = judge("copy");
  ASSERT_TRUE(judged);
  EXPECT_EQ(judged->evaluation.outcome, Outcome::wrong);
  EXPECT_THROW(judge("zeros"), base::Error) << "a result of another candidate";
}

}  // namespace
}  // namespace hone::run
