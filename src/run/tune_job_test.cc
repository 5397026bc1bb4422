// Tuning inside a job, by the real judge on the fake GPU, whose times are what the kernels say.
#include "run/tune_job.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "device/device.h"
#include "run/job_test_task.h"

namespace hone::run {
namespace {

using core::Outcome;
using testing::HasSubstr;

std::string up_to(int last) {
  std::string values = "1";
  for (int i = 2; i <= last; ++i) values += ", " + std::to_string(i);
  return values;
}

class TuneInAJob : public testing::Test {
 protected:
  Job job(const core::Candidate& candidate, TuneJob tune = {.most = 32}) const {
    Job job = place_.job("t1", "copy");
    job.candidate = candidate;
    job.tune = tune;
    return job;
  }
  JobResult done(const Job& job, const JobTools& tools = {}) const {
    judge::Judge judge(place_.task(), device::find_device("fake:1"), quick_judging());
    const std::string text = to_text(execute(*job_from(to_text(job)), judge, tools));
    return *result_from(text);  // as it comes back from another machine
  }
  FakeTask place_;
};

TEST_F(TuneInAJob, MakesTheBestPointTheDefaultOfWhatIsJudged) {
  Job one = job(tunable_candidate(1, 4));
  one.compare_with = fake_candidate("copy ns=2000000000");
  one.certify_if_faster = true;
  const JobResult result = done(one);
  ASSERT_TRUE(result.tuning);
  EXPECT_EQ(result.tuning->points, 3) << "all but the default";
  EXPECT_EQ(result.tuning->failed, 0);
  EXPECT_EQ(result.tuning->point, (core::Point{{"A", 4}}));
  EXPECT_NEAR(result.tuning->ratio, 0.25, 0.01);
  const core::Candidate tuned = with_defaults(*one.candidate, result.tuning->point);
  EXPECT_EQ(result.evaluation->key.candidate, tuned.hash);
  EXPECT_NEAR(*result.evaluation->geomean, 1, 0.01);
  EXPECT_EQ(result.as_written->key.candidate, one.candidate->hash);
  EXPECT_NEAR(*result.as_written->geomean, 4, 0.04);
  EXPECT_EQ(result.beside_default->word, core::Comparison::faster);
  ASSERT_TRUE(result.comparison) << result.not_compared;
  EXPECT_EQ(result.comparison->b.candidate, tuned.hash);
  EXPECT_EQ(result.comparison->word, core::Comparison::faster)
      << "as it was written it would be slower than the incumbent";
  ASSERT_TRUE(result.certified);
  EXPECT_EQ(result.certified->key.candidate, tuned.hash);
}

TEST_F(TuneInAJob, LeavesDefaultsThatNothingBeats) {
  const JobResult result = done(job(tunable_candidate(4, 4)));
  ASSERT_TRUE(result.tuning);
  EXPECT_EQ(result.tuning->points, 3);
  EXPECT_FALSE(result.tuning->changed());
  EXPECT_FALSE(result.as_written);
  EXPECT_FALSE(result.beside_default);
  EXPECT_THAT(result.tuning->ended, HasSubstr("none was faster than the defaults"));
  EXPECT_EQ(result.evaluation->key.candidate, tunable_candidate(4, 4).hash);
}

TEST_F(TuneInAJob, TunesNothingThatIsFarFromTheIncumbentOrHasNoTable) {
  EXPECT_FALSE(done(job(tunable_candidate(1, 4), {.most = 32, .under = 3.9})).tuning);
  EXPECT_TRUE(done(job(tunable_candidate(1, 4), {.most = 32, .under = 4.1})).tuning);
  EXPECT_FALSE(done(job(fake_candidate("copy"))).tuning);
  EXPECT_FALSE(done(job(tunable_candidate(1, 4), {.most = 0})).tuning);
  EXPECT_FALSE(done(job(tunable_candidate(1, 4, "1, 2, 4, 8", " zeros"))).tuning) << "it is wrong";
}

TEST_F(TuneInAJob, TriesMoreOnceTheBestPointIsAheadOfTheIncumbent) {
  const core::Candidate large = tunable_candidate(1, 30, up_to(40));
  EXPECT_EQ(done(job(large)).tuning->points, few_points) << "there is no incumbent";
  EXPECT_EQ(done(job(large, {.most = 32, .beats = 0.5})).tuning->points, few_points);
  EXPECT_GT(done(job(large, {.most = 32, .beats = 1000})).tuning->points, few_points);
  EXPECT_EQ(done(job(large, {.most = 5, .beats = 1000})).tuning->points, 5);
  EXPECT_LE(done(job(large, {.most = 1'000'000, .beats = 1000})).tuning->points, more_points)
      << "a text from elsewhere may ask for any number";
}

TEST_F(TuneInAJob, EndsWhereTheDeviceIsWantedAndKeepsWhatItFound) {
  int asked = 0;
  JobTools tools;
  tools.wanted = [&] { return ++asked > 1; };
  const JobResult result = done(job(tunable_candidate(1, 8, "1, 2, 4, 8")), tools);
  EXPECT_EQ(result.tuning->points, 1);
  EXPECT_TRUE(result.tuning->changed());
  EXPECT_THAT(result.tuning->ended, HasSubstr("waited for the device"));
  tools.wanted = [] { return true; };
  EXPECT_EQ(done(job(tunable_candidate(1, 8)), tools).tuning->points, 0);
}

TEST_F(TuneInAJob, CountsPointsThatFailAndNeverTakesThem) {
  // Right only at A = 1 and A = 2: from A = 4 on the result is zeros.
  const JobResult result =
      done(job(tunable_candidate(1, 8, "1, 2, 4, 8", " after=1000000*(A<4) zeros")));
  ASSERT_TRUE(result.tuning);
  EXPECT_EQ(result.tuning->points, 3);
  EXPECT_EQ(result.tuning->failed, 2);
  EXPECT_EQ(result.tuning->point, (core::Point{{"A", 2}}));
}

TEST(WithDefaults, RefusesAPointThatThePlanDoesNotHave) {
  EXPECT_THROW(with_defaults(tunable_candidate(1, 4), {{"A", 3}}), base::Error);
  EXPECT_THROW(with_defaults(tunable_candidate(1, 4), {{"B", 1}}), base::Error);
}

}  // namespace
}  // namespace hone::run
