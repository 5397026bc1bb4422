#include "run/remote_judges.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "device/fake_device.h"
#include "exec/bundle_executor.h"
#include "exec/bundle_folder.h"
#include "run/job_test_task.h"

namespace hone::run {
namespace {

using core::Outcome;
using testing::HasSubstr;

class RemoteJudgesTest : public testing::Test {
 protected:
  JobDone done(const Job& job, const std::string& compiler = "fake 1") {
    core::DeviceInfo info = device::fake_info();
    info.compiler = compiler;
    std::optional<JobDone> answer;
    {
      RemoteJudges judges(
          place_.task(), info, exec::bundle_executor(away()),
          [&](JobDone one) { answer = std::move(one); }, cancelled_);
      EXPECT_TRUE(judges.away());
      judges.submit(job);
    }  // which ends its jobs
    EXPECT_TRUE(answer);
    return answer.value_or(JobDone());
  }
  JobDone judge(const std::string& behaviour, const std::string& compiler = "fake 1") {
    return done(place_.job("r.1", behaviour), compiler);
  }
  std::size_t jobs_away() const { return exec::BundleFolder(away()).pending().size(); }
  std::filesystem::path away() const { return place_.path() / "away"; }
  // As the other machine would give it back.
  void bring_back(const JobResult& result) {
    exec::BundleFolder(away()).put_job({result.name, "what an older hone asked"});
    exec::BundleFolder(away()).put_result({result.name, to_text(result)});
  }

  FakeTask place_;
  std::atomic<bool> cancelled_{false};
};

TEST_F(RemoteJudgesTest, AnswerAtOnceWhatTheCompilerHereRefuses) {
  const JobDone judged = judge("copy ns=NOWHERE");
  ASSERT_TRUE(judged.result);
  EXPECT_EQ(judged.state, JobDone::State::done);
  EXPECT_EQ(judged.result->evaluation->outcome, Outcome::build_failed);
  EXPECT_THAT(judged.result->evaluation->evidence.at(0).text, HasSubstr("NOWHERE"));
  EXPECT_EQ(judged.result->evaluation->key.task, place_.task().hash);
  EXPECT_EQ(jobs_away(), 0u);
}

TEST_F(RemoteJudgesTest, SendWhatBuilds) {
  EXPECT_EQ(judge("copy").state, JobDone::State::away);
  EXPECT_EQ(jobs_away(), 1u);
}

TEST_F(RemoteJudgesTest, SendWhatAnotherCompilerThereMayTake) {
  EXPECT_EQ(judge("copy ns=NOWHERE", "fake 2").state, JobDone::State::away);
  EXPECT_EQ(jobs_away(), 1u);
}

TEST_F(RemoteJudgesTest, SendWhatIsOnlyToBeExplained) {
  Job job = place_.job("r.1", "copy ns=NOWHERE");
  job.profile.emplace();
  job.profile->evaluation.emplace();
  EXPECT_EQ(done(job).state, JobDone::State::away) << "it was accepted there before";
  EXPECT_EQ(jobs_away(), 1u);
}

TEST_F(RemoteJudgesTest, WaitForNothingOnceTheRunIsCancelled) {
  cancelled_ = true;
  EXPECT_EQ(judge("copy").state, JobDone::State::cancelled);
}

TEST_F(RemoteJudgesTest, TakeAResultWhateverTheTextOfItsJobWas) {
  EXPECT_EQ(judge("copy").state, JobDone::State::away);
  const Job job = place_.job("r.1", "copy");
  JobResult result;
  result.name = job.name;
  result.content = content_hash(job);
  result.evaluation.emplace();
  result.evaluation->key.candidate = job.candidate->hash;
  result.evaluation->outcome = Outcome::wrong;
  bring_back(result);
  const JobDone judged = judge("copy");
  ASSERT_TRUE(judged.result);
  EXPECT_EQ(judged.result->evaluation->outcome, Outcome::wrong);
  const JobDone other = judge("zeros");
  EXPECT_EQ(other.state, JobDone::State::broken) << "a result of another candidate";
  EXPECT_THAT(other.why, HasSubstr("about something else"));
}

TEST_F(RemoteJudgesTest, SayThatTheEnvironmentThereFailed) {
  const Job job = place_.job("r.1", "copy");
  JobResult result;
  result.name = job.name;
  result.content = content_hash(job);
  result.error = "the device was lost";
  bring_back(result);
  const JobDone judged = judge("copy");
  EXPECT_EQ(judged.state, JobDone::State::broken);
  EXPECT_THAT(judged.why, HasSubstr("the device was lost"));
}

// Answers every job at once with one error, and counts.
struct Failing : exec::Executor {
  struct Seen {
    std::atomic<int> submitted{0}, discarded{0};
    std::mutex mutex;
    std::string body;
  };
  explicit Failing(Seen& into) : seen(into) {}
  void submit(const exec::PackedJob& job) override {
    const std::lock_guard lock(seen.mutex);
    ++seen.submitted;
    seen.body = job.body;
  }
  std::optional<exec::PackedResult> wait_for(const std::string& name,
                                             const std::function<bool()>&) override {
    JobResult result;
    result.name = name;
    result.error = "begun five times";
    return exec::PackedResult{name, to_text(result)};
  }
  bool away() const override { return false; }
  std::string describe() const override { return "failing"; }
  void discard(const std::string&) override { ++seen.discarded; }
  std::optional<exec::WorkerCounts> workers() const override {
    return exec::WorkerCounts{.running = 3};
  }
  Seen& seen;
};

TEST_F(RemoteJudgesTest, LeaveNoErrorInTheWayOfAResumedRun) {
  Failing::Seen seen;
  std::atomic<int> broken{0};
  {
    RemoteJudges judges(
        place_.task(), device::fake_info(), std::make_unique<Failing>(seen),
        [&](const JobDone& one) { broken += one.state == JobDone::State::broken ? 1 : 0; },
        cancelled_, [](const Job& job) { return "packed " + job.name; });
    EXPECT_EQ(judges.workers()->running, 3);
    for (int i = 0; i < 20; ++i) judges.submit(place_.job("r." + std::to_string(i), "copy"));
  }
  EXPECT_EQ(broken, 20);
  EXPECT_EQ(seen.submitted, 20);
  EXPECT_EQ(seen.discarded, 20) << "submitted again, they are done again";
}

TEST_F(RemoteJudgesTest, SendWhatIsPackedForTheWay) {
  Failing::Seen seen;
  {
    RemoteJudges judges(
        place_.task(), device::fake_info(), std::make_unique<Failing>(seen), [](const JobDone&) {},
        cancelled_, [](const Job& job) { return "packed " + job.name; });
    judges.submit(place_.job("r.1", "copy"));
  }
  EXPECT_EQ(seen.body, "packed r.1");
}

}  // namespace
}  // namespace hone::run
