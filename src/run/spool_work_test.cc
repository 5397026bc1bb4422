// A worker's work in this process, on the fake device.
#include "run/spool_work.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "exec/worker_place.h"
#include "run/bundle.h"
#include "run/job_test_task.h"

namespace hone::run {
namespace {

using core::Outcome;
using exec::WorkerPlace;
using testing::HasSubstr;

struct SpoolWorkTest : testing::Test {
  SpoolWorkTest() { spool.open({}); }

  void put(const Job& job) { EXPECT_FALSE(spool.put({job.name, packer(job)})); }
  // All that is there; then it has had nothing to do for long enough.
  void work() {
    const WorkerPlace place(spool, "w");
    place.enter();
    SpoolWorkOptions options;
    options.spool = spool.path();
    options.worker = "w";
    options.place.device = "fake:1";
    options.place.judging = quick_judging();
    options.idle_minutes = 1e-9;
    work_from_spool(options);
    done = place.progress().done;
  }
  JobResult result(const std::string& name) const {
    const auto found = spool.result(name);
    EXPECT_TRUE(found) << name;
    auto read = found ? result_from(found->body) : base::Failure{std::string("none")};
    EXPECT_TRUE(read) << (read ? "" : read.error());
    return read ? *read : JobResult();
  }

  FakeTask task;
  JobPacker packer;
  exec::Spool spool{task.path() / "spool"};
  std::uint64_t done = 0;
};

TEST_F(SpoolWorkTest, JudgesWhatIsThere) {
  put(task.job("r-1", "copy"));
  put(task.job("r-2", "zeros"));
  work();
  EXPECT_EQ(result("r-1").evaluation->outcome, Outcome::accepted);
  EXPECT_EQ(result("r-2").evaluation->outcome, Outcome::wrong);
  EXPECT_EQ(result("r-1").content, content_hash(task.job("r-1", "copy")));
  EXPECT_EQ(done, 2u);
  EXPECT_TRUE(spool.waiting().empty());
}

TEST_F(SpoolWorkTest, DoesNotJudgeWhatHasItsResult) {
  put(task.job("r-1", "copy"));
  base::write_file_atomically(spool.path() / "results/r-1", "of a worker that was killed then");
  work();
  EXPECT_EQ(spool.result("r-1")->body, "of a worker that was killed then");
  EXPECT_TRUE(spool.waiting().empty());
  EXPECT_EQ(done, 0u);
}

TEST_F(SpoolWorkTest, SaysThatAJobWasBegunTooOften) {
  put(task.job("r-1", "copy"));
  std::filesystem::rename(
      spool.path() / "jobs/r-1~1",
      spool.path() / "jobs" / exec::file_name_of({"r-1", exec::most_spool_attempts + 1}));
  work();
  EXPECT_THAT(result("r-1").error, HasSubstr("begun 5 times"));
}

TEST_F(SpoolWorkTest, AnswersWithAnErrorWhatIsNoJob) {
  const std::string good = packer(task.job("r-1", "copy"));
  base::write_file_atomically(spool.path() / "jobs/r-1~1", good.substr(0, good.size() / 2));
  base::write_file_atomically(spool.path() / "jobs/r-2~1", good);
  base::write_file_atomically(spool.path() / "jobs/r-3~1", "anything");
  work();
  for (const char* name : {"r-1", "r-2", "r-3"})
    EXPECT_THAT(result(name).error, HasSubstr("the job in the spool")) << name;
}

// A stranger's texts under an honest task's hash.
TEST_F(SpoolWorkTest, LetsNoWrongTaskStandInTheWayOfTheOnesThatFollow) {
  Job job = task.job("a-1", "copy");
  const std::string records = packer(job);
  auto read = exec::parse_records(records, "bundle", bundle_format)->all;
  const auto at = read[0].body.find("Copies a vector.");
  ASSERT_NE(at, std::string::npos);
  read[0].body.replace(at, 6, "Spoils");
  base::write_file_atomically(spool.path() / "jobs/a-1~1",
                              exec::write_records(read, "bundle", bundle_format));
  put(task.job("r-1", "copy"));
  work();
  // Which of the two a worker takes first is open. After the honest one its texts serve both.
  if (const auto spoilt = result("a-1"); !spoilt.error.empty())
    EXPECT_THAT(spoilt.error, HasSubstr("not the one"));
  else
    EXPECT_EQ(spoilt.evaluation->outcome, Outcome::accepted);
  EXPECT_EQ(result("r-1").error, "");
  EXPECT_EQ(result("r-1").evaluation->outcome, Outcome::accepted);
}

TEST_F(SpoolWorkTest, EndsWhereTheEnvironmentFailsAndLeavesTheJobToOthers) {
  put(task.job("r-1", "copy"));
  spool.open({.language = "fake", .device = "another GPU"});
  EXPECT_THROW(work(), base::Error);
  EXPECT_EQ(spool.waiting().size(), 1u) << "no job was touched";
  EXPECT_FALSE(spool.has_result("r-1"));
}

}  // namespace
}  // namespace hone::run
