// The queue with lanes that do what the test says: eight devices of which one dies, one is slow and
// one is taken.
#include "run/judge_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <map>
#include <set>

#include "run/job_test_task.h"

namespace hone::run {
namespace {

using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

// What all lanes of a test share: which lane did what, and gates.
struct Notebook {
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::string, std::vector<std::string>> jobs;  // by device
  std::vector<std::string> built;
  std::set<std::string> held;    // jobs that wait until they are let go
  std::set<std::string> wanted;  // at whose end another job waited for the device
};

class ScriptedLane : public Lane {
 public:
  ScriptedLane(Notebook& notebook, int number, double speed = 1, std::string error = "",
               int dies_after = 0)
      : notebook_(notebook), speed_(speed), error_(std::move(error)), dies_after_(dies_after) {
    info_.id = "fake:" + std::to_string(number);
    info_.name = "fake GPU";
    info_.language = core::Language::fake;
  }
  JobResult work(const Job& job, const base::Fd*, const std::function<bool()>& wanted) override {
    std::unique_lock lock(notebook_.mutex);
    notebook_.jobs[info_.id].push_back(job.name);
    notebook_.changed.notify_all();
    notebook_.changed.wait(lock, [&] { return !notebook_.held.contains(job.name); });
    lock.unlock();  // the queue has a lock of its own
    const bool others_wait = wanted();
    lock.lock();
    if (others_wait) notebook_.wanted.insert(job.name);
    JobResult result;
    result.name = job.name;
    result.device = info_;
    if (!error_.empty() && static_cast<int>(notebook_.jobs[info_.id].size()) > dies_after_) {
      result.error = error_;
      return result;
    }
    if (job.name.starts_with("poison")) {
      result.error = "there is not enough memory";
      return result;
    }
    result.evaluation.emplace();
    result.evaluation->outcome = core::Outcome::accepted;
    result.evaluation->geomean = 1e-3 * speed_;
    return result;
  }
  std::optional<base::Fd> build(const Job& job) override {
    const std::lock_guard lock(notebook_.mutex);
    notebook_.built.push_back(job.name);
    return std::nullopt;
  }
  const core::DeviceInfo& device() const override { return info_; }

 private:
  Notebook& notebook_;
  double speed_;
  std::string error_;
  int dies_after_;
  core::DeviceInfo info_;
};

struct JudgeQueueTest : testing::Test {
  Notebook notebook;
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::string, JobDone> done;
  std::map<std::string, int> times_done;
  std::vector<std::string> said;
  std::atomic<bool> cancelled{false};
  std::unique_ptr<JudgeQueue> queue;

  void open(std::vector<std::unique_ptr<Lane>> lanes, std::size_t builders = 1) {
    queue = std::make_unique<JudgeQueue>(
        std::move(lanes),
        [this](JobDone one) {
          const std::lock_guard lock(mutex);
          ++times_done[one.name];
          done[one.name] = std::move(one);
          changed.notify_all();
        },
        [this](const std::string& text) {
          const std::lock_guard lock(mutex);
          said.push_back(text);
          changed.notify_all();
        },
        cancelled, builders);
  }
  ~JudgeQueueTest() override {
    let_go();
    queue.reset();
  }
  void submit(const std::string& name) {
    Job job;
    job.name = name;
    job.candidate = fake_candidate("copy");
    queue->submit(std::move(job));
  }
  void wait_for(std::size_t count) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return done.size() >= count; });
  }
  void wait_to_hear(std::size_t count) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return said.size() >= count; });
  }
  void hold(const std::string& name) {
    const std::lock_guard lock(notebook.mutex);
    notebook.held.insert(name);
  }
  void let_go() {
    const std::lock_guard lock(notebook.mutex);
    notebook.held.clear();
    notebook.changed.notify_all();
  }
  void wait_for_lane(const std::string& device, std::size_t jobs) {
    std::unique_lock lock(notebook.mutex);
    notebook.changed.wait(lock, [&] { return notebook.jobs[device].size() >= jobs; });
  }
};

TEST_F(JudgeQueueTest, BuildsAheadWhileTheDeviceWorks) {
  std::vector<std::unique_ptr<Lane>> lanes;
  lanes.push_back(std::make_unique<ScriptedLane>(notebook, 0));
  open(std::move(lanes));
  hold("j0");
  submit("j0");
  wait_for_lane("fake:0", 1);
  for (const char* name : {"j1", "j2"}) submit(name);
  for (bool built = false; !built;) {
    const std::lock_guard lock(notebook.mutex);
    built = notebook.built.size() == 3;
  }
  EXPECT_THAT(notebook.jobs["fake:0"], SizeIs(1))
      << "both were built while the first was on the device";
  let_go();
  wait_for(3);
  EXPECT_THAT(notebook.jobs["fake:0"], testing::ElementsAre("j0", "j1", "j2"));
}

TEST_F(JudgeQueueTest, TellsAJobWhetherAnotherWaitsForTheDevice) {
  std::vector<std::unique_ptr<Lane>> lanes;
  lanes.push_back(std::make_unique<ScriptedLane>(notebook, 0));
  open(std::move(lanes));
  hold("j0");
  submit("j0");
  wait_for_lane("fake:0", 1);
  submit("j1");
  let_go();
  wait_for(2);
  EXPECT_THAT(notebook.wanted, testing::ElementsAre("j0")) << "nothing waited behind j1";
}

TEST_F(JudgeQueueTest, UsesEightDevicesOfWhichOneDiesOneIsSlowAndOneIsTaken) {
  std::vector<std::unique_ptr<Lane>> lanes;
  for (int i = 0; i < 8; ++i)
    lanes.push_back(
        i == 3   ? std::make_unique<ScriptedLane>(notebook, i, 1.5)
        : i == 5 ? std::make_unique<ScriptedLane>(notebook, i, 1, "CUDA_ERROR_ECC_UNCORRECTABLE", 1)
        : i == 6 ? std::make_unique<ScriptedLane>(notebook, i, 1, "held by pid 4711", 0)
                 : std::make_unique<ScriptedLane>(notebook, i, 1.01));
  open(std::move(lanes), 2);
  submit("first");
  wait_for(1);
  wait_to_hear(2);  // the slow one and the one that is taken are left out by their calibration
  wait_for_lane("fake:5", 1);
  constexpr int jobs = 60;
  for (int i = 0; i < jobs; ++i) hold("j" + std::to_string(i));
  for (int i = 0; i < jobs; ++i) submit("j" + std::to_string(i));
  for (const char* device : {"fake:0", "fake:1", "fake:2", "fake:4", "fake:7"})
    wait_for_lane(device, 2);
  wait_for_lane("fake:5", 2);  // it has a job, and dies with it
  let_go();
  wait_for(jobs + 1);
  wait_to_hear(3);
  for (const auto& [name, count] : times_done) EXPECT_EQ(count, 1) << name;
  for (const auto& [name, one] : done)
    EXPECT_EQ(one.state, JobDone::State::done) << name << ": " << one.why;
  EXPECT_THAT(notebook.jobs["fake:3"], testing::ElementsAre("first-reference"))
      << "it never judged a candidate";
  EXPECT_THAT(notebook.jobs["fake:6"], testing::ElementsAre("first-reference"));
  EXPECT_THAT(notebook.jobs["fake:5"], SizeIs(2)) << "the reference, and the job that it died with";
  EXPECT_THAT(said, SizeIs(3));
  EXPECT_THAT(said, testing::Contains(testing::AllOf(HasSubstr("fake:3"),
                                                     HasSubstr("1.485 of the time of fake:0"))));
  EXPECT_THAT(said, testing::Contains(testing::AllOf(HasSubstr("fake:5"), HasSubstr("ECC"))));
  EXPECT_THAT(said, testing::Contains(testing::AllOf(HasSubstr("fake:6"), HasSubstr("4711"))));
}

TEST_F(JudgeQueueTest, TakesAnotherDeviceWhereTheFirstFailsBeforeAnythingIsAccepted) {
  std::vector<std::unique_ptr<Lane>> lanes;
  lanes.push_back(std::make_unique<ScriptedLane>(notebook, 0, 1, "it fell off the bus"));
  lanes.push_back(std::make_unique<ScriptedLane>(notebook, 1));
  lanes.push_back(std::make_unique<ScriptedLane>(notebook, 2));
  open(std::move(lanes));
  submit("a");
  wait_for(1);
  wait_to_hear(1);
  EXPECT_EQ(done.at("a").state, JobDone::State::done) << done.at("a").why;
  EXPECT_EQ(done.at("a").result->device.id, "fake:1");
  EXPECT_THAT(
      said, testing::ElementsAre(HasSubstr("fake:0 is left out from now on: it fell off the bus")));
}

TEST_F(JudgeQueueTest, BlamesAJobThatFailsOnTwoDevicesAndKeepsBoth) {
  std::vector<std::unique_ptr<Lane>> lanes;
  for (int i = 0; i < 2; ++i) lanes.push_back(std::make_unique<ScriptedLane>(notebook, i));
  open(std::move(lanes));
  submit("good");
  wait_for(1);
  wait_for_lane("fake:1", 1);
  submit("poison");
  wait_for(2);
  EXPECT_EQ(done.at("poison").state, JobDone::State::broken);
  EXPECT_THAT(done.at("poison").why, HasSubstr("not enough memory"));
  EXPECT_THAT(said, IsEmpty());
}

TEST_F(JudgeQueueTest, SaysThatTheEnvironmentIsBrokenWhereThereIsOneDevice) {
  std::vector<std::unique_ptr<Lane>> lanes;
  lanes.push_back(std::make_unique<ScriptedLane>(notebook, 0));
  open(std::move(lanes));
  submit("poison");
  wait_for(1);
  EXPECT_EQ(done.at("poison").state, JobDone::State::broken);
}

TEST_F(JudgeQueueTest, GivesBackWhatHasNotBegunWhenItIsCancelled) {
  std::vector<std::unique_ptr<Lane>> lanes;
  lanes.push_back(std::make_unique<ScriptedLane>(notebook, 0));
  open(std::move(lanes));
  hold("a");
  submit("a");
  submit("b");
  wait_for_lane("fake:0", 1);
  cancelled = true;
  let_go();
  wait_for(2);
  for (const auto& [name, one] : done) EXPECT_EQ(one.state, JobDone::State::cancelled) << name;
  EXPECT_THAT(notebook.jobs["fake:0"], testing::ElementsAre("a"));
}

}  // namespace
}  // namespace hone::run
