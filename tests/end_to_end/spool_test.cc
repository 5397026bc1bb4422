// Workers and a spool through the binary, without a batch system: killed, told to end, with a full
// disk, with what a stranger left in the spool.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>

#include <random>

#include "base/json_probe.h"
#include "cluster_parts.h"
#include "nothing_lost.h"

namespace hone::end_to_end {
namespace {

namespace fs = std::filesystem;
using base::JsonProbe;
using testing::HasSubstr;

class SpoolRun : public testing::Test {
 protected:
  SpoolRun() { base::make_folder(run_.lab.hone.folder() / "leases"); }
  fs::path leases() const { return run_.lab.hone.folder() / "leases"; }
  std::unique_ptr<Background> driver() const {
    return std::make_unique<Background>(run_.lab.hone,
                                        run_.words("spool:" + spool_.path().string()));
  }
  std::unique_ptr<Background> worker() const {
    return std::make_unique<Background>(
        run_.lab.hone, std::vector<std::string>{"worker", spool_.path(), "--device", "fake:1"});
  }
  bool wait_for_claims(std::size_t count) const {
    return until([&] { return claims_in(spool_).size() >= count; });
  }
  void expect_a_good_end(Background& driver, int kills = 0) const {
    const auto end = driver.finish();
    EXPECT_EQ(end.code, 0) << end.err << end.out;
    expect_nothing_lost_or_done_twice(run_.lab, kills);
    EXPECT_TRUE(spool_.waiting().empty());
  }
  static void end_in_order(Background& worker) {
    worker.signal(SIGTERM);
    const auto end = worker.finish();
    EXPECT_EQ(end.code, 130) << end.err;
  }

  ClusterRun run_;
  exec::Spool spool_{run_.lab.hone.folder() / "spool"};
};

TEST_F(SpoolRun, IsDoneByTwoWorkersThatWereStartedFirst) {
  HeldDevice held(leases());
  held.release();
  auto first = worker(), second = worker();
  ASSERT_TRUE(until([&] { return spool_.workers().size() == 2; }));
  auto run = driver();
  ASSERT_TRUE(until([&] { return run->has_ended(); }));
  EXPECT_THAT(run->said(), HasSubstr("2 running"));
  expect_a_good_end(*run);
  const auto followed = run_.lab.hone.run({"runs", run_.id(), "--follow", "--json"});
  EXPECT_EQ(JsonProbe(followed.out)["workers"]["running"], 2) << followed.out;
  end_in_order(*first);
  end_in_order(*second);
  EXPECT_TRUE(spool_.workers().empty());
}

TEST_F(SpoolRun, GoesOnWhereAWorkerIsKilledOutright) {
  spool_.open({.lost_after = 5});
  HeldDevice held(leases());
  auto run = driver();
  auto first = worker();
  ASSERT_TRUE(wait_for_claims(1));
  const std::string lost = claims_in(spool_).front();
  first->signal(SIGKILL);
  first->finish();
  auto second = worker();
  ASSERT_TRUE(until([&] {
    auto names = claims_in(spool_);
    for (const auto& job : spool_.waiting()) names.push_back(exec::file_name_of(job));
    return std::any_of(names.begin(), names.end(),
                       [](const std::string& name) { return name.ends_with("~2"); });
  })) << lost
      << " was begun once, and is for another worker now";
  held.release();
  ASSERT_TRUE(until([&] { return run->has_ended(); }));
  EXPECT_THAT(run->said(), HasSubstr("was lost"));
  expect_a_good_end(*run);
  end_in_order(*second);
}

TEST_F(SpoolRun, GoesOnWhereTheProcessThatDoesTheWorkIsKilled) {
  HeldDevice held(leases());
  auto run = driver();
  auto only = worker();
  ASSERT_TRUE(wait_for_claims(1));
  const int inner = child_of(only->pid());
  ASSERT_GT(inner, 0);
  ::kill(inner, SIGKILL);
  ASSERT_TRUE(until([&] { return child_of(only->pid()) != inner && !claims_in(spool_).empty(); }));
  held.release();
  ASSERT_TRUE(until([&] { return run->has_ended(); }));
  expect_a_good_end(*run);
  EXPECT_THAT(only->said(), HasSubstr("signal 9 ended the process"));
  EXPECT_TRUE(spool_.lost().empty()) << "the worker itself was alive all the time";
  end_in_order(*only);
}

TEST_F(SpoolRun, LetsAWorkerThatIsToldToEndGiveItsJobBackAtOnce) {
  HeldDevice held(leases());
  auto run = driver();
  auto first = worker();
  ASSERT_TRUE(wait_for_claims(1));
  end_in_order(*first);
  EXPECT_TRUE(spool_.workers().empty());
  for (const auto& job : spool_.waiting()) EXPECT_EQ(job.attempt, 1) << "no fault of the job's";
  held.release();
  auto second = worker();
  ASSERT_TRUE(until([&] { return run->has_ended(); }));
  expect_a_good_end(*run);
  end_in_order(*second);
}

TEST_F(SpoolRun, GoesOnWhereItWasKilledItself) {
  HeldDevice held(leases());
  auto run = driver();
  auto only = worker();
  ASSERT_TRUE(wait_for_claims(1));
  run->signal(SIGKILL);
  run->finish();
  held.release();
  const auto waiting = [&] { return spool_.waiting().empty() && claims_in(spool_).empty(); };
  ASSERT_TRUE(until(waiting)) << "what was submitted is done meanwhile";
  Background resumed(run_.lab.hone, {"resume", run_.id()});
  ASSERT_TRUE(until([&] { return resumed.has_ended(); }));
  expect_a_good_end(resumed, 1);
  end_in_order(*only);
}

TEST_F(SpoolRun, StopsWhenItIsInterruptedAndGoesOnLater) {
  HeldDevice held(leases());
  auto run = driver();
  auto only = worker();
  ASSERT_TRUE(wait_for_claims(1));
  run->signal(SIGINT);
  const auto stopped = run->finish();
  EXPECT_EQ(stopped.code, 130) << stopped.err;
  held.release();
  Background resumed(run_.lab.hone, {"resume", run_.id()});
  ASSERT_TRUE(until([&] { return resumed.has_ended(); }));
  expect_a_good_end(resumed, 1);
  end_in_order(*only);
}

// How often; bench/kills.sh asks for more.
int wanted_kills() {
  const char* given = std::getenv("HONE_KILLS");
  return given == nullptr ? 4 : std::atoi(given);
}

// The run and its worker, both at once, each time a little later than before, until it ends.
TEST_F(SpoolRun, LosesNothingAndDoesNothingTwiceWhereAllIsKilledAtRandomMoments) {
  spool_.open({.lost_after = 1});
  HeldDevice held(leases());
  held.release();
  std::mt19937 random(28);
  int kills = 0;
  for (double longest = 0.5;; longest *= kills < wanted_kills() ? 1.1 : 2) {
    std::error_code ec;
    const bool begun = fs::exists(run_.lab.hone.home() / "archive.db", ec) && !run_.id().empty();
    auto only = worker();
    auto run = begun ? std::make_unique<Background>(run_.lab.hone,
                                                    std::vector<std::string>{"resume", run_.id()})
                     : driver();
    const double seconds = std::uniform_real_distribution<>(0.0, longest)(random);
    if (run->ends_within(seconds)) {
      expect_a_good_end(*run, kills);
      return;
    }
    only->signal(SIGKILL);
    run->signal(SIGKILL);
    only->finish();
    run->finish();
    ++kills;
  }
}

// A disk of its own, which the test fills.
class SmallDisk {
 public:
  explicit SmallDisk(fs::path folder) : folder_(std::move(folder)) {
    base::make_folder(folder_);
    mounted_ = ::mount("tmpfs", folder_.c_str(), "tmpfs", 0, "size=1m") == 0;
  }
  ~SmallDisk() {
    if (mounted_) ::umount2(folder_.c_str(), MNT_DETACH);
  }
  bool mounted() const { return mounted_; }
  void fill() const {
    const base::Fd file(::open((folder_ / "filler").c_str(), O_WRONLY | O_CREAT, 0600));
    const std::string part(4096, 'x');
    while (::write(file.get(), part.data(), part.size()) > 0) {
    }
  }
  void make_room() const { fs::remove(folder_ / "filler"); }

 private:
  fs::path folder_;
  bool mounted_ = false;
};

TEST_F(SpoolRun, WaitsForSpaceWhereTheDiskIsFull) {
  const SmallDisk disk(run_.lab.hone.folder() / "small");
  if (!disk.mounted()) GTEST_SKIP() << "no small disk can be mounted: that takes root's rights";
  spool_ = exec::Spool(run_.lab.hone.folder() / "small" / "spool");
  HeldDevice held(leases());
  auto run = driver();
  auto only = worker();
  ASSERT_TRUE(wait_for_claims(1));
  disk.fill();
  held.release();
  ASSERT_TRUE(until([&] { return only->said().find("waits for space") != std::string::npos; }));
  EXPECT_EQ(claims_in(spool_).size(), 1u);
  ASSERT_TRUE(until([&] { return run->said().find("the disk is full") != std::string::npos; }));
  EXPECT_TRUE(spool_.lost().empty()) << "it shows life all the same";
  disk.make_room();
  ASSERT_TRUE(until([&] { return run->has_ended(); }));
  expect_a_good_end(*run);
  end_in_order(*only);
}

TEST_F(SpoolRun, IsNotDisturbedByWhatAStrangerPutIntoTheSpool) {
  HeldDevice held(leases());
  held.release();
  spool_.open({});
  base::write_file_atomically(spool_.path() / "jobs/a-1~1", "this is no job");
  base::write_file_atomically(spool_.path() / "jobs/a-2~1", "");
  fs::create_symlink("/etc/passwd", spool_.path() / "jobs/a-3~1");
  fs::create_directories(spool_.path() / "jobs/a-4~1/folder");
  base::write_file_atomically(spool_.path() / "jobs/a-5~1", "");
  fs::resize_file(spool_.path() / "jobs/a-5~1", std::uintmax_t{1} << 32);
  auto only = worker();
  auto run = driver();
  ASSERT_TRUE(until([&] { return run->has_ended(); }));
  expect_a_good_end(*run);
  for (int i = 1; i <= 5; ++i) {
    const auto result = spool_.result("a-" + std::to_string(i));
    ASSERT_TRUE(result) << i;
    EXPECT_THAT(result->body, HasSubstr("the job in the spool"));
  }
  end_in_order(*only);
}

TEST_F(SpoolRun, EndsAWorkerWhoseDeviceIsOfAnotherModel) {
  spool_.open({.language = "fake", .device = "another GPU"});
  const auto refused = run_.lab.hone.run({"worker", spool_.path(), "--device", "fake:1"});
  EXPECT_EQ(refused.code, 4);
  EXPECT_THAT(refused.err, HasSubstr("another GPU"));
  ASSERT_EQ(spool_.failures().size(), 1u);
  EXPECT_THAT(spool_.failures()[0].second, HasSubstr("another GPU"));
}

TEST_F(SpoolRun, EndsAWorkerThatHasHadNothingToDo) {
  const auto idle =
      run_.lab.hone.run({"worker", spool_.path(), "--idle-minutes", "0.0001", "--json"});
  EXPECT_EQ(idle.code, 0) << idle.err;
  EXPECT_EQ(JsonProbe(idle.out)["done"], 0);
}

TEST(WorkerCommand, NeedsASpool) {
  const Hone hone;
  const auto refused = hone.run({"worker"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("spool"));
}

}  // namespace
}  // namespace hone::end_to_end
