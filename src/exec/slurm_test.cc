// Slurm's commands played by scripts, and a pool of workers with the test's own clock.
#include "exec/slurm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>

#include "base/files.h"
#include "exec/worker_pool.h"

namespace hone::exec {
namespace {

using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(SlurmOptions, AreReadFromOneText) {
  const auto options =
      slurm_options_from("gpu,min=2,max=16,spool=/shared/x,idle=30,gres=gpu:1,exclusive,qos=low");
  ASSERT_TRUE(options) << options.error();
  EXPECT_EQ(options->partition, "gpu");
  EXPECT_EQ(options->min, 2);
  EXPECT_EQ(options->max, 16);
  EXPECT_EQ(options->spool, "/shared/x");
  EXPECT_THAT(options->sbatch, ElementsAre("--gres=gpu:1", "--exclusive", "--qos=low"));
  EXPECT_EQ(slurm_options_from("gpu,min=9")->max, 9);
}

TEST(SlurmOptions, SayWhatIsWrong) {
  const auto wrong = [](const std::string& text) {
    const auto options = slurm_options_from(text);
    return options ? "nothing" : options.error();
  };
  EXPECT_THAT(wrong(""), HasSubstr("partition"));
  EXPECT_THAT(wrong(",min=2"), HasSubstr("partition"));
  EXPECT_THAT(wrong("gpu,min=two"), HasSubstr("min=two"));
  EXPECT_THAT(wrong("gpu,min=3,max=2"), HasSubstr("more than"));
  EXPECT_THAT(wrong("gpu,max=0"), HasSubstr("max=0"));
  EXPECT_THAT(wrong("gpu,idle=nan"), HasSubstr("idle"));
  EXPECT_THAT(wrong("gpu,=2"), HasSubstr("KEY=VALUE"));
  EXPECT_THAT(wrong("gpu,array=1-9"), HasSubstr("itself"));
}

TEST(SlurmTasks, AreReadLineByLine) {
  const auto tasks = tasks_from("12_1 R\n12_2 PD\n\nnonsense\n12_3 CG\n");
  ASSERT_EQ(tasks.size(), 3u);
  EXPECT_TRUE(tasks[0].runs());
  EXPECT_TRUE(tasks[1].waits());
  EXPECT_FALSE(tasks[2].runs() || tasks[2].waits());
}

TEST(ShellQuoted, KeepsAnyWordInOnePiece) {
  EXPECT_EQ(shell_quoted("a b$c"), "'a b$c'");
  EXPECT_EQ(shell_quoted("it's"), "'it'\\''s'");
}

// ---- the commands

struct SlurmCommands : testing::Test {
  SlurmCommands() : path_before(std::getenv("PATH")) {
    ::setenv("PATH", (folder.path().string() + ":" + path_before).c_str(), 1);
  }
  ~SlurmCommands() override { ::setenv("PATH", path_before.c_str(), 1); }
  void command(const std::string& name, const std::string& body) {
    const auto file = folder.path() / name;
    base::write_file_atomically(file, "#!/bin/sh\n" + body);
    ::chmod(file.c_str(), 0755);
  }
  base::TemporaryFolder folder{"hone-slurm-test"};
  std::string path_before;
  std::atomic<bool> cancelled{false};
  Slurm slurm{"hone-r1", cancelled};
};

TEST_F(SlurmCommands, SubmitAnArrayAsTheUserWantsIt) {
  command("sbatch", "echo \"$@\" > " + (folder.path() / "asked").string() + "; cat > " +
                        (folder.path() / "script").string() + "; env > " +
                        (folder.path() / "env").string() + "; echo 77");
  ::setenv("SOME_MODELS_API_KEY", "not for batch systems", 1);
  const auto id = slurm.submit(*slurm_options_from("gpu,gres=gpu:1"), "/logs", "#!/bin/sh\n", 3);
  ::unsetenv("SOME_MODELS_API_KEY");
  ASSERT_TRUE(id) << id.error();
  EXPECT_EQ(*id, "77");
  const std::string asked = base::read_file(folder.path() / "asked");
  for (const char* word : {"--gres=gpu:1", "--partition=gpu", "--array=1-3", "--job-name=hone-r1"})
    EXPECT_THAT(asked, HasSubstr(word));
  EXPECT_EQ(base::read_file(folder.path() / "script"), "#!/bin/sh\n");
  EXPECT_THAT(base::read_file(folder.path() / "env"), testing::Not(HasSubstr("not for batch")));
}

TEST_F(SlurmCommands, FailInTheirOwnWords) {
  command("sbatch", "echo 'sbatch: error: invalid partition specified: gpu' >&2; exit 1");
  command("squeue", "echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2; exit 1");
  command("scancel", "exit 3");
  EXPECT_EQ(slurm.submit(*slurm_options_from("gpu"), "/logs", "", 1).error(),
            "sbatch: error: invalid partition specified: gpu");
  EXPECT_EQ(slurm.tasks().error(),
            "squeue: slurm_load_jobs error: Unable to contact slurm controller");
  EXPECT_EQ(slurm.cancel_all().error(), "scancel ended with code 3");
}

TEST_F(SlurmCommands, AreMissedByName) {
  ::setenv("PATH", folder.path().c_str(), 1);
  EXPECT_THAT(slurm.tasks().error(), HasSubstr("squeue"));
}

// ---- how many workers

struct WorkerPoolTest : testing::Test {
  PoolPlan next(seconds passed = seconds(5)) {
    now += passed;
    const PoolPlan plan = pool.next(view, now);
    if (plan.submit > 0) pool.submitted(now);
    pool.cancelled(plan.cancel);
    return plan;
  }
  void task(const std::string& id, const std::string& state) {
    for (auto& one : view.tasks)
      if (one.id == id) {
        one.state = state;
        return;
      }
    view.tasks.push_back({id, state});
  }
  void end(const std::string& id) {
    std::erase_if(view.tasks, [&](const auto& one) { return one.id == id; });
    view.claims.erase(id);
  }
  SlurmOptions options{.partition = "p", .min = 1, .max = 4, .idle_seconds = 60};
  WorkerPool pool{options};
  PoolView view;
  WorkerPool::Clock::time_point now = WorkerPool::Clock::now();
};

TEST_F(WorkerPoolTest, BeginsWithTheLeastAndGrowsWithTheWork) {
  EXPECT_EQ(next().submit, 1);
  task("1_1", "R");
  view.claims["1_1"] = 1;
  view.open_jobs = 3;
  EXPECT_EQ(next().submit, 2);
  task("2_1", "PD");
  task("2_2", "PD");
  EXPECT_EQ(next().submit, 0);
  view.open_jobs = 100;
  view.finished_jobs = 1;
  EXPECT_EQ(next().submit, 1) << "there are at most four";
}

TEST_F(WorkerPoolTest, ShrinksWhatHasHadNothingToDo) {
  view.open_jobs = 4;
  EXPECT_EQ(next().submit, 4);
  for (const char* id : {"1_1", "1_2", "1_3"}) {
    task(id, "R");
    view.claims[id] = 0;
  }
  task("1_4", "PD");
  view.claims["1_2"] = 1;
  view.open_jobs = 1;
  EXPECT_THAT(next().cancel, IsEmpty());
  EXPECT_THAT(next(seconds(30)).cancel, IsEmpty());
  EXPECT_THAT(next(seconds(31)).cancel, ElementsAre("1_4", "1_1", "1_3"));
  EXPECT_THAT(next(seconds(31)).cancel, IsEmpty()) << "what is cancelled is not cancelled again";
}

TEST_F(WorkerPoolTest, ReplacesWhatWasPreempted) {
  view.open_jobs = 1;
  EXPECT_EQ(next().submit, 1);
  task("1_1", "R");
  view.claims["1_1"] = 1;
  next();
  view.finished_jobs = 1;
  end("1_1");
  const PoolPlan plan = next();
  EXPECT_EQ(plan.submit, 1);
  EXPECT_THAT(plan.gone, IsEmpty()) << "it had shown life: nothing is wrong with it";
}

TEST_F(WorkerPoolTest, ReplacesAWorkerThatWasLostThoughSlurmSeesItRun) {
  view.open_jobs = 1;
  next();
  task("1_1", "R");
  view.claims["1_1"] = 1;
  next();
  view.claims.erase("1_1");
  view.finished_jobs = 1;
  const PoolPlan plan = next();
  EXPECT_THAT(plan.cancel, ElementsAre("1_1"));
  EXPECT_EQ(plan.submit, 1);
}

TEST_F(WorkerPoolTest, WaitsForAWorkerToStartAndThenReplacesIt) {
  view.open_jobs = 1;
  next();
  task("1_1", "R");
  EXPECT_EQ(next().submit, 0);
  EXPECT_EQ(next(seconds(100)).running, 1);
  EXPECT_THAT(next(seconds(30)).cancel, ElementsAre("1_1"));
}

TEST_F(WorkerPoolTest, StopsWhereWorkersEndOneAfterTheOther) {
  view.open_jobs = 1;
  std::string broken;
  int submitted = 0;
  for (int i = 0; i < 100 && broken.empty(); ++i) {
    const PoolPlan plan = next(seconds(200));
    broken = plan.broken;
    submitted += plan.submit;
    const std::string id = std::to_string(i) + "_1";
    view.failures[id + "-node"] = "there is no device here";
  }
  EXPECT_THAT(broken, HasSubstr("there is no device here"));
  EXPECT_LE(submitted, 8);
}

TEST_F(WorkerPoolTest, GoesOnWhereJobsAreFinishedInBetween) {
  view.open_jobs = 1;
  for (int i = 0; i < 40; ++i) {
    view.failures[std::to_string(i)] = "a bad node";
    ++view.finished_jobs;
    EXPECT_EQ(next(seconds(200)).broken, "");
  }
}

TEST_F(WorkerPoolTest, SubmitsLessOftenWhereItBringsNothing) {
  view.open_jobs = 1;
  EXPECT_EQ(next().submit, 1);
  int submissions = 0;
  for (int i = 0; i < 20; ++i) submissions += next(seconds(5)).submit;
  EXPECT_LE(submissions, 5);
  EXPECT_GE(submissions, 2);
}

}  // namespace
}  // namespace hone::exec
