// A spool with several workers in one process, and with what a stranger may put in it.
#include "exec/spool.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "base/error.h"
#include "base/files.h"
#include "exec/records.h"
#include "exec/spool_watch.h"
#include "exec/worker_place.h"

namespace hone::exec {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct SpoolTest : testing::Test {
  SpoolTest() : spool(folder.path() / "spool") { spool.open({}); }

  WorkerPlace worker(const std::string& name) const {
    WorkerPlace place(spool, name);
    place.enter();
    return place;
  }
  void put(const std::string& name) const { EXPECT_FALSE(spool.put({name, "body of " + name})); }
  std::vector<std::string> waiting() const {
    std::vector<std::string> names;
    for (const auto& job : spool.waiting()) names.push_back(file_name_of(job));
    return names;
  }
  std::string result(const std::string& name) const {
    const auto found = spool.result(name);
    return found ? found->body : "none";
  }
  fs::path path(const std::string& inside) const { return spool.path() / inside; }

  base::TemporaryFolder folder{"hone-spool-test"};
  Spool spool;
};

TEST_F(SpoolTest, CarriesAJobToAWorkerAndItsResultBack) {
  put("r-1");
  const WorkerPlace place = worker("w");
  const SpoolJob job = spool.waiting().at(0);
  ASSERT_TRUE(place.claim(job));
  EXPECT_THAT(waiting(), IsEmpty());
  EXPECT_EQ(*place.text_of(job), "body of r-1");
  EXPECT_FALSE(place.publish(job, "it is right"));
  EXPECT_EQ(result("r-1"), "it is right");
  EXPECT_THAT(spool.claims_of("w"), IsEmpty());
}

TEST_F(SpoolTest, GivesAJobToOneOfManyThatClaimItAtOnce) {
  constexpr int jobs = 50, workers = 8;
  for (int i = 0; i < jobs; ++i) put("r-" + std::to_string(i));
  const auto all = spool.waiting();
  std::atomic<int> claimed{0};
  std::vector<std::thread> threads;
  for (int w = 0; w < workers; ++w)
    threads.emplace_back([&, place = worker("w" + std::to_string(w))] {
      for (const auto& job : all) claimed += place.claim(job) ? 1 : 0;
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(claimed, jobs);
}

TEST_F(SpoolTest, PutsAJobOnceHoweverOftenItIsSubmitted) {
  put("r-1");
  put("r-1");
  EXPECT_THAT(waiting(), ElementsAre("r-1~1"));
  const WorkerPlace place = worker("w");
  const SpoolJob job = spool.waiting().at(0);
  ASSERT_TRUE(place.claim(job));
  put("r-1");
  EXPECT_THAT(waiting(), IsEmpty()) << "a worker has it";
  place.publish(job, "done");
  put("r-1");
  EXPECT_THAT(waiting(), IsEmpty()) << "it has its result";
  spool.discard_result("r-1");
  put("r-1");
  EXPECT_THAT(waiting(), ElementsAre("r-1~1"));
}

TEST_F(SpoolTest, KeepsTheFirstResultOfAJob) {
  put("r-1");
  const WorkerPlace first = worker("first"), second = worker("second");
  const SpoolJob job = spool.waiting().at(0);
  ASSERT_TRUE(first.claim(job));
  first.give_back(job, true);  // as if it had been found lost
  const SpoolJob again = spool.waiting().at(0);
  EXPECT_EQ(again.attempt, 2);
  ASSERT_TRUE(second.claim(again));
  first.publish(job, "of the first");
  second.publish(again, "of the second");
  EXPECT_EQ(result("r-1"), "of the first");
  EXPECT_THAT(spool.claims_of("second"), IsEmpty());
}

TEST_F(SpoolTest, GivesBackWithoutAnAttemptWhatAWorkerLeavesInOrder) {
  put("r-1");
  const WorkerPlace place = worker("w");
  ASSERT_TRUE(place.claim(spool.waiting().at(0)));
  place.leave("");
  EXPECT_THAT(waiting(), ElementsAre("r-1~1"));
  EXPECT_THAT(spool.workers(), IsEmpty());
  EXPECT_THAT(spool.failures(), IsEmpty());
}

TEST_F(SpoolTest, CountsAsAnAttemptWhatACrashedProcessHeld) {
  put("r-1");
  const WorkerPlace place = worker("w");
  ASSERT_TRUE(place.claim(spool.waiting().at(0)));
  place.give_back_all();
  EXPECT_THAT(waiting(), ElementsAre("r-1~2"));
}

TEST_F(SpoolTest, DoesNotGiveBackAJobThatHasItsResult) {
  put("r-1");
  const WorkerPlace place = worker("w");
  const SpoolJob job = spool.waiting().at(0);
  ASSERT_TRUE(place.claim(job));
  base::write_file_atomically(path("results/r-1"), "written just before it was killed");
  place.give_back_all();
  EXPECT_THAT(waiting(), IsEmpty());
  EXPECT_THAT(spool.claims_of("w"), IsEmpty());
}

TEST_F(SpoolTest, SaysWhyAWorkerEnded) {
  worker("w").leave("the device is gone");
  EXPECT_THAT(spool.failures(), ElementsAre(testing::Pair("w", "the device is gone")));
}

TEST_F(SpoolTest, KeepsTheSettingsThatAreThere) {
  EXPECT_EQ(spool.open({.lost_after = 7}).lost_after, 60);
  EXPECT_EQ(spool.open({.language = "cuda", .device = "H200"}).device, "H200");
  EXPECT_EQ(spool.open({}).device, "H200");
  try {
    spool.open({.language = "cuda", .device = "V100"});
    FAIL() << "times of the two do not compare";
  } catch (const base::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("H200"));
  }
}

TEST_F(SpoolTest, RefusesSettingsThatMakeNoSense) {
  for (const char* text : {"", "{", "[]", R"({"format": 9, "lost_after_s": 60})",
                           R"({"format": 1, "lost_after_s": -1})"}) {
    base::write_file_atomically(path("spool"), text);
    EXPECT_THROW(spool.open({}), base::Error) << text;
  }
}

// ---- lost workers: the clock is the test's

struct SpoolWatchTest : SpoolTest {
  SpoolWatch watch{spool, 60};
  SpoolWatch::Clock::time_point now = SpoolWatch::Clock::now();
  // Looks every five seconds for so long; `alive` shows life before each look.
  std::vector<std::string> look_for(seconds time, const WorkerPlace* alive = nullptr) {
    std::vector<std::string> lost;
    for (seconds passed{0}; passed < time; passed += seconds(5)) {
      if (alive != nullptr) alive->show_life();
      for (const auto& name : watch.look(now += seconds(5))) lost.push_back(name);
    }
    return lost;
  }
};

TEST_F(SpoolWatchTest, ReturnsTheJobOfAWorkerThatShowsNoLife) {
  put("r-1");
  const WorkerPlace dead = worker("dead"), alive = worker("alive");
  ASSERT_TRUE(dead.claim(spool.waiting().at(0)));
  EXPECT_THAT(look_for(seconds(55), &alive), IsEmpty());
  EXPECT_THAT(waiting(), IsEmpty());
  EXPECT_THAT(look_for(seconds(15), &alive), ElementsAre("dead"));
  EXPECT_THAT(waiting(), ElementsAre("r-1~2"));
  EXPECT_THAT(spool.workers(), ElementsAre("alive"));
  EXPECT_EQ(spool.lost().size(), 1u);
}

TEST_F(SpoolWatchTest, CountsNoTimeInWhichItDidNotLook) {
  worker("w");
  watch.look(now);
  EXPECT_THAT(watch.look(now + seconds(4000)), IsEmpty())
      << "this process stood still, and so perhaps did the whole machine";
}

TEST_F(SpoolWatchTest, LetsAWorkerThatWasOnlyStoppedComeBack) {
  put("r-1");
  const WorkerPlace place = worker("w");
  const SpoolJob job = spool.waiting().at(0);
  ASSERT_TRUE(place.claim(job));
  look_for(seconds(70));
  EXPECT_THAT(spool.workers(), IsEmpty());
  place.show_life();
  EXPECT_THAT(spool.workers(), ElementsAre("w"));
  place.publish(job, "late, and the first");
  EXPECT_EQ(result("r-1"), "late, and the first");
  EXPECT_THAT(look_for(seconds(70)), ElementsAre("w")) << "it can be lost again";
  EXPECT_EQ(spool.lost().size(), 2u);
}

TEST_F(SpoolWatchTest, FinishesWhatAnotherThatWatchesBegan) {
  put("r-1");
  const WorkerPlace place = worker("w");
  ASSERT_TRUE(place.claim(spool.waiting().at(0)));
  fs::rename(path("workers/w"), path("lost/w.1"));  // and then it was killed
  watch.look(now);
  EXPECT_THAT(waiting(), ElementsAre("r-1~2"));
}

TEST_F(SpoolWatchTest, TakesNoFilesTimeForASignOfLife) {
  worker("w");
  look_for(seconds(50));
  fs::last_write_time(path("workers/w/life"), fs::file_time_type::clock::now());
  EXPECT_THAT(look_for(seconds(20)), ElementsAre("w"));
}

TEST_F(SpoolWatchTest, TellsWhetherTheRunIsAlive) {
  LifeWatch life(path("run"), 60);
  const auto lost_after = [&](int looks, bool shows) {
    bool lost = false;
    for (int i = 0; i < looks; ++i) {
      if (shows) show_life_in(path("run"));
      lost = life.lost(now += seconds(5));
    }
    return lost;
  };
  EXPECT_FALSE(lost_after(20, true));
  EXPECT_FALSE(lost_after(10, false));
  EXPECT_TRUE(lost_after(5, false));
  EXPECT_FALSE(lost_after(1, true));
}

// ---- a full disk

struct SmallFiles {  // no file may grow beyond this: to a process it is as a full disk
  explicit SmallFiles(rlim_t most) {
    std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before);
    const rlimit limit{most, before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~SmallFiles() { ::setrlimit(RLIMIT_FSIZE, &before); }
  rlimit before{};
};

TEST_F(SpoolTest, LosesNothingWhereTheDiskIsFull) {
  put("r-1");
  const WorkerPlace place = worker("w");
  const SpoolJob job = spool.waiting().at(0);
  ASSERT_TRUE(place.claim(job));
  const std::string before = sign_of_life(path("workers/w"));
  const std::string long_text(10'000, 'x');
  {
    const SmallFiles full(64);
    EXPECT_TRUE(is_full(spool.put({"r-2", long_text})));
    EXPECT_TRUE(is_full(place.publish(job, long_text)));
    place.show_life();
  }
  EXPECT_NE(sign_of_life(path("workers/w")), before) << "life is shown in place";
  EXPECT_THAT(waiting(), IsEmpty()) << "no half of a job";
  EXPECT_EQ(result("r-1"), "none") << "and no half of a result";
  EXPECT_EQ(spool.claims_of("w").size(), 1u);
  EXPECT_FALSE(place.publish(job, long_text));
  EXPECT_EQ(result("r-1"), long_text);
}

// ---- what a stranger may put there

TEST(SpoolNames, AreReadAsTheyAreWritten) {
  EXPECT_EQ(spool_job_from("r1-00012~3"), (SpoolJob{"r1-00012", 3}));
  for (const char* name : {"r1", "r1~", "r1~0", "r1~01", "r1~-1", "r1~+1", "r1~1x", "~1", ".r~1",
                           "r/1~1", "r 1~1", "r1~99999", "r1~1~", "r\n~1"})
    EXPECT_FALSE(spool_job_from(name)) << name;
}

TEST(SpoolNames, TellTheSlurmTask) {
  EXPECT_EQ(slurm_task_of("12_3-node-77-00ab"), "12_3");
  for (const char* name : {"node-77-00ab", "12-3", "_3-x", "12_-x", "a_3-x", ""})
    EXPECT_EQ(slurm_task_of(name), "") << name;
  EXPECT_NE(new_worker_name(), new_worker_name());
}

TEST_F(SpoolTest, PassesOverNamesThatMakeNoSense) {
  for (const char* name : {"jobs/README", "jobs/x~0", "jobs/.x~1", "workers/file", "lost/a b"})
    base::write_file_atomically(path(name), "?");
  EXPECT_THAT(waiting(), IsEmpty());
  EXPECT_THAT(spool.workers(), IsEmpty());
  EXPECT_THAT(spool.lost(), IsEmpty());
}

TEST_F(SpoolTest, FollowsNoLinks) {
  base::write_file_atomically(folder.path() / "secret", "secret");
  fs::create_symlink(folder.path() / "secret", path("jobs/r-1~1"));
  fs::create_symlink(folder.path() / "secret", path("results/r-2"));
  fs::create_directory_symlink(folder.path(), path("workers/w2"));
  const WorkerPlace place = worker("w");
  const SpoolJob job{"r-1", 1};
  ASSERT_TRUE(place.claim(job));
  EXPECT_THAT(place.text_of(job).error(), HasSubstr("link"));
  EXPECT_FALSE(place.publish(job, "it is a link"));
  EXPECT_EQ(base::read_file(folder.path() / "secret"), "secret");
  EXPECT_THROW(spool.result("r-2"), base::Error);
  EXPECT_THAT(spool.workers(), ElementsAre("w"));
}

TEST_F(SpoolTest, WritesThroughNoLinkThatWasPutInItsWay) {
  base::write_file_atomically(folder.path() / "mine", "mine");
  const WorkerPlace place = worker("w");
  for (const char* name : {"results/.w", "jobs/.r-1", "workers/w/life2"})
    fs::create_symlink(folder.path() / "mine", path(name));
  put("r-1");
  const SpoolJob job = spool.waiting().at(0);
  ASSERT_TRUE(place.claim(job));
  EXPECT_FALSE(place.publish(job, "done"));
  EXPECT_EQ(base::read_file(folder.path() / "mine"), "mine");
  EXPECT_EQ(result("r-1"), "done");
}

TEST_F(SpoolTest, DoesNotWaitForAPipeNorReadAFolder) {
  ASSERT_EQ(::mkfifo(path("jobs/r-1~1").c_str(), 0600), 0);
  fs::create_directories(path("jobs/r-2~1/deep/er"));
  const WorkerPlace place = worker("w");
  for (const char* name : {"r-1", "r-2"}) {
    const SpoolJob job{name, 1};
    ASSERT_TRUE(place.claim(job));
    EXPECT_THAT(place.text_of(job).error(), HasSubstr("not a file"));
    EXPECT_FALSE(place.publish(job, "it is no file"));
    EXPECT_FALSE(fs::exists(path(std::string("workers/w/") + name + "~1")));
  }
}

TEST_F(SpoolTest, ReadsNoHugeFile) {
  base::write_file_atomically(path("jobs/r-1~1"), "");
  fs::resize_file(path("jobs/r-1~1"), largest_record + 1);  // sparse
  const WorkerPlace place = worker("w");
  const SpoolJob job{"r-1", 1};
  ASSERT_TRUE(place.claim(job));
  EXPECT_THAT(place.text_of(job).error(), HasSubstr("larger"));
}

}  // namespace
}  // namespace hone::exec
