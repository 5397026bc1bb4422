#include "exec/spool_executor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mutex>
#include <thread>

#include "base/error.h"
#include "base/files.h"
#include "exec/worker_place.h"

namespace hone::exec {
namespace {

using testing::HasSubstr;

struct SpoolExecutorTest : testing::Test {
  SpoolExecutorTest() {
    SpoolExecutorOptions options;
    options.spool = spool.path();
    options.settings.lost_after = least_lost_after;
    options.say = [this](const std::string& text) {
      const std::lock_guard lock(mutex);
      said += text + "\n";
    };
    executor = spool_executor(options);
  }
  // What a worker does: it takes one job and answers.
  void answer(const std::string& text) const {
    const WorkerPlace place(spool, new_worker_name());
    place.enter();
    for (bool done = false; !done; place.show_life())
      for (const auto& job : spool.waiting())
        if (place.claim(job)) done = !place.publish(job, text);
    place.leave("");
  }
  static bool never() { return false; }

  base::TemporaryFolder folder{"hone-spool-executor-test"};
  Spool spool{folder.path() / "spool"};
  std::mutex mutex;
  std::string said;
  std::unique_ptr<Executor> executor;  // last: it uses the others
};

TEST_F(SpoolExecutorTest, BringsBackWhatAWorkerAnswers) {
  EXPECT_FALSE(executor->away());
  executor->submit({"r-1", "body"});
  std::thread worker([&] { answer("fine"); });
  EXPECT_EQ(executor->wait_for("r-1", never)->body, "fine");
  worker.join();
  EXPECT_EQ(executor->wait_for("r-1", never)->body, "fine") << "the result stays";
}

TEST_F(SpoolExecutorTest, StopsWaitingWhereItIsCancelled) {
  executor->submit({"r-1", "body"});
  EXPECT_FALSE(executor->wait_for("r-1", [] { return true; }));
  EXPECT_EQ(spool.waiting().size(), 1u) << "the job stays submitted";
}

TEST_F(SpoolExecutorTest, AsksAgainForWhatWasDiscarded) {
  executor->submit({"r-1", "body"});
  answer("the environment failed");
  executor->discard("r-1");
  executor->submit({"r-1", "body"});
  EXPECT_EQ(spool.waiting().size(), 1u);
}

TEST_F(SpoolExecutorTest, ReturnsTheJobOfALostWorkerWhereNoOtherWorkerLooks) {
  executor->submit({"r-1", "body"});
  const WorkerPlace dead(spool, "dead");
  dead.enter();
  ASSERT_TRUE(dead.claim(spool.waiting().at(0)));
  std::thread worker([&] { answer("of another"); });  // once it waits again
  EXPECT_EQ(executor->wait_for("r-1", never)->body, "of another");
  worker.join();
  for (bool told = false; !told;) {
    const std::lock_guard lock(mutex);
    told = said.find("dead was lost") != std::string::npos;
  }
  for (std::optional<WorkerCounts> counts; !counts || counts->lost == 0;)
    counts = executor->workers();
}

TEST_F(SpoolExecutorTest, RefusesASpoolOfAnotherDevice) {
  SpoolExecutorOptions options;
  options.spool = spool.path();
  options.settings.device = "H200";
  spool_executor(options);
  options.settings.device = "V100";
  EXPECT_THROW(spool_executor(options), base::Error);
}

TEST_F(SpoolExecutorTest, SaysThatAResultIsNoFile) {
  executor->submit({"r-1", "body"});
  std::filesystem::create_symlink("/etc/passwd", spool.path() / "results/r-1");
  try {
    executor->wait_for("r-1", never);
    FAIL() << "a link is followed";
  } catch (const base::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("link"));
  }
}

}  // namespace
}  // namespace hone::exec
