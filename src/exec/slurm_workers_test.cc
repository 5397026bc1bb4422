// The thread that keeps workers in Slurm, with Slurm's commands played by scripts.
#include "exec/slurm_workers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>

#include "base/files.h"
#include "exec/worker_place.h"

namespace hone::exec {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* no_answer = "slurm_load_jobs error: Unable to contact slurm controller";

struct SlurmWorkersTest : testing::Test {
  SlurmWorkersTest() : path_before(std::getenv("PATH")) {
    ::setenv("PATH", (folder.path().string() + ":" + path_before).c_str(), 1);
    spool.open({});
    command("sbatch", "cat > /dev/null; echo \"$@\" >> " + file("submitted") + "; echo 7");
    // What changes while the thread is at work is a file of data: a script that is being written
    // cannot be started.
    command("squeue", "if [ -e " + file("down") + " ]; then echo '" + no_answer +
                          "' >&2; exit 1; fi; cat " + file("tasks") + " 2>/dev/null; true");
    command("scancel", "echo \"$@\" >> " + file("cancelled"));
  }
  ~SlurmWorkersTest() override { ::setenv("PATH", path_before.c_str(), 1); }

  std::string file(const std::string& name) const { return folder.path() / name; }
  std::string text(const std::string& name) const {
    std::error_code ec;
    return fs::exists(file(name), ec) ? base::read_file(file(name)) : "";
  }
  void command(const std::string& name, const std::string& body) const {
    const std::string aside = file("." + name);
    base::write_file_atomically(aside, "#!/bin/sh\n" + body + "\n");
    ::chmod(aside.c_str(), 0755);
    fs::rename(aside, file(name));
  }
  std::unique_ptr<SlurmWorkers> workers(const std::string& options = "gpu,poll=0.1") {
    return std::make_unique<SlurmWorkers>(
        spool, *slurm_options_from(options), "#!/bin/sh\n", [] { return std::uint64_t{0}; },
        [this](const std::string& sentence) {
          const std::lock_guard lock(mutex);
          said += sentence + "\n";
        });
  }
  template <typename Condition>
  static void wait_for(Condition is_so) {
    while (!is_so()) std::this_thread::yield();
  }

  base::TemporaryFolder folder{"hone-slurm-workers-test"};
  Spool spool{folder.path() / "r1"};
  std::string path_before;
  std::mutex mutex;
  std::string said;
};

TEST_F(SlurmWorkersTest, SubmitsTheLeastAndCancelsAllAtTheEnd) {
  {
    const auto all = workers();
    wait_for([&] { return !text("submitted").empty(); });
    wait_for([&] { return all->queued() == 1; });
  }
  EXPECT_THAT(text("submitted"), HasSubstr("--array=1-1"));
  EXPECT_THAT(text("cancelled"), HasSubstr("--name=hone-r1"));
}

TEST_F(SlurmWorkersTest, StopsAtOnceWithTheWordsOfAFirstSubmissionThatFails) {
  command("sbatch", "echo 'sbatch: error: no such account' >&2; exit 1");
  const auto all = workers();
  wait_for([&] { return !all->broken().empty(); });
  EXPECT_EQ(all->broken(), "sbatch: error: no such account");
}

TEST_F(SlurmWorkersTest, GoesOnWhereSqueueDoesNotAnswerForAWhile) {
  base::write_file_atomically(file("tasks"), "7_1 R\n");
  const auto all = workers();
  base::write_file_atomically(file("down"), "");
  wait_for([&] { return !all->trouble().empty(); });
  EXPECT_EQ(all->trouble(), std::string("squeue: ") + no_answer);
  EXPECT_EQ(all->broken(), "");
  fs::remove(file("down"));
  wait_for([&] { return all->trouble().empty(); });
  const std::lock_guard lock(mutex);
  EXPECT_THAT(said, HasSubstr("Unable to contact")) << "a sentence that lasts";
  EXPECT_EQ(text("submitted"), "") << "the worker that is there was not forgotten";
}

TEST_F(SlurmWorkersTest, SaysWhatWorkersThatCannotStartLeftInTheirLogs) {
  const auto all = workers("gpu,poll=0.1,max=1");
  for (int i = 1; all->broken().empty(); ++i) {
    base::write_file_atomically(spool.path() / "logs" / fmt::format("{}_1.log", i),
                                "hone: command not found\n");
    base::write_file_atomically(file("tasks"), fmt::format("{}_1 R\n", i));
    wait_for([&] { return !all->broken().empty() || all->queued() == 0; });
    base::write_file_atomically(file("tasks"), "");
    wait_for([&] { return !all->broken().empty() || all->queued() == 1; });
  }
  EXPECT_THAT(all->broken(), HasSubstr("without having finished a job"));
  EXPECT_THAT(all->broken(), HasSubstr("command not found"));
}

}  // namespace
}  // namespace hone::exec
