#include "run/jobs_in_flight.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hone::run {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Judges that answer when the test says so.
class ByHand : public Judges {
 public:
  ByHand(JobCallback done, bool away) : done_(std::move(done)), away_(away) {}
  void submit(Job job) override { submitted.push_back(job.name); }
  bool profiles() const override { return true; }
  bool away() const override { return away_; }
  bool certifies() const override { return true; }
  std::string describe() const override { return "by hand"; }
  void finish(const std::string& name, JobDone::State state = JobDone::State::done) {
    done_({name, state, {}, ""});
  }

  std::vector<std::string> submitted;

 private:
  JobCallback done_;
  bool away_;
};

struct JobsInFlightTest : testing::Test {
  EventQueue events;
  JobsInFlight jobs{events};
  std::unique_ptr<ByHand> judges;
  std::vector<std::string> taken;

  void open(bool away) {
    judges = std::make_unique<ByHand>(jobs.callback(), away);
    jobs.open(*judges);
  }
  void submit(const std::string& name) {
    Job job;
    job.name = name;
    jobs.submit(job, [this](const JobDone& done) { taken.push_back(done.name); });
  }
  void run_events() { events.run(std::chrono::milliseconds(0)); }
};

TEST_F(JobsInFlightTest, TakesResultsOfJudgesHereAsTheyCome) {
  open(false);
  submit("a");
  submit("b");
  judges->finish("b");
  run_events();
  EXPECT_THAT(taken, ElementsAre("b"));
  EXPECT_EQ(jobs.in_flight(), 1u);
  judges->finish("a");
  run_events();
  EXPECT_THAT(taken, ElementsAre("b", "a"));
}

TEST_F(JobsInFlightTest, TakesTheResultsOfATripInWholeAndInTheOrderOfTheirNames) {
  open(true);
  for (const char* name : {"r-00003", "r-00001", "r-00002"}) submit(name);
  judges->finish("r-00003");
  judges->finish("r-00002", JobDone::State::away);
  run_events();
  EXPECT_THAT(taken, IsEmpty()) << "one was not looked for yet";
  judges->finish("r-00001");
  run_events();
  EXPECT_THAT(taken, ElementsAre("r-00001", "r-00002", "r-00003"));
  EXPECT_THAT(jobs.away(), ElementsAre("r-00002"));
  EXPECT_EQ(jobs.in_flight(), 0u);
}

TEST_F(JobsInFlightTest, MaySubmitMoreWhileItTakesATrip) {
  open(true);
  Job first;
  first.name = "a";
  jobs.submit(first, [this](const JobDone&) { submit("b"); });
  judges->finish("a");
  run_events();
  EXPECT_EQ(jobs.in_flight(), 1u);
  judges->finish("b", JobDone::State::away);
  run_events();
  EXPECT_THAT(taken, ElementsAre("b"));
}

TEST_F(JobsInFlightTest, PassesOverWhatItDidNotAskFor) {
  open(false);
  judges->finish("a stranger");
  run_events();
  EXPECT_THAT(taken, IsEmpty());
}

}  // namespace
}  // namespace hone::run
