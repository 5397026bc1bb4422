// The loop with models and judges that answer at once: what it asks, what it judges, and how it
// goes on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "run/driver_test_parts.h"
#include "run/status.h"
#include "store/findings.h"

namespace hone::run {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST_F(DriverTest, GoesFromASeedToACertifiedCandidate) {
  model->answers["g001/writer-2/try-1"] = Model::kernel("copy ns=500000000");
  const auto result = work();
  EXPECT_EQ(result.state, store::RunState::finished);
  EXPECT_EQ(result.stopped, "4 candidates were allowed");
  EXPECT_TRUE(result.certified());
  EXPECT_EQ(*result.best, 4)
      << "the second writer of the first generation, after the seed and the translation";
  EXPECT_DOUBLE_EQ(result.compared->ratio, 0.5);
  EXPECT_THAT(result.conclusion, HasSubstr("2.00 times as fast"));
  EXPECT_EQ(tree().conclusion->best, 4);
  EXPECT_EQ(result.status.candidates, 5);
  EXPECT_THAT(said, Contains(HasSubstr("00004 is the incumbent")));
  EXPECT_THAT(store::findings(archive, {.everything = true}), testing::SizeIs(1));
}

TEST_F(DriverTest, AsksAndJudgesNothingTwiceWhenItIsResumed) {
  work();
  const auto asked = model->asked;
  const auto judged = jobs;
  const auto again = work();
  EXPECT_EQ(model->asked, asked);
  EXPECT_EQ(jobs, judged);
  EXPECT_TRUE(again.certified());
  settings.budget.candidates = 5;
  work();
  EXPECT_EQ(model->asked.size(), asked.size() + 4) << "selector, designer, one writer, learner";
}

TEST_F(DriverTest, TakesAnAnswerThatWasReceivedBeforeItWasKilled) {
  model->faults["g001/writer-1/try-1"] =
      llm::FaultKind::rejected;  // ends the run in the middle of a generation
  EXPECT_EQ(work().state, store::RunState::stopped);
  const auto before = tree();
  EXPECT_EQ(before.nodes[2].state, core::Node::State::asked) << "the question stays open";
  model->faults.clear();
  EXPECT_EQ(work().state, store::RunState::finished);
  EXPECT_EQ(model->count("g001/writer-2/try-1"), 1);
  EXPECT_EQ(model->count("g001/writer-1/try-1"), 2);
  for (const auto& node : tree().nodes)
    EXPECT_EQ(node.state, core::Node::State::judged) << node.number;
}

TEST_F(DriverTest, GoesOnWithoutAWriterThatDeclines) {
  model->faults["g001/writer-1/try-1"] = llm::FaultKind::refused;
  EXPECT_EQ(work().state, store::RunState::finished);
  const core::Tree run = tree();
  EXPECT_EQ(run.nodes[2].state, core::Node::State::unanswered);
  EXPECT_EQ(core::places_taken(run), 4) << "its place went to another";
}

TEST_F(DriverTest, SendsAFailureBackToItsWriter) {
  model->answers["g001/writer-3/try-1"] = Model::kernel("zeros");
  settings.budget.candidates = 5;
  work();
  EXPECT_EQ(model->count("g001/writer-3/try-2"), 1);
  const core::Tree run = tree();
  const auto repair = std::find_if(run.nodes.begin(), run.nodes.end(),
                                   [](const auto& node) { return node.repairs != 0; });
  ASSERT_NE(repair, run.nodes.end());
  EXPECT_EQ(run.node(repair->repairs)->verdict->reason, "all of it is wrong");
  for (const auto& call : store::calls_of(archive, run_id, true))
    if (call.start.step == "g001/writer-3/try-2") {
      EXPECT_THAT(call.start.prompt, HasSubstr("all of it is wrong"));
    }
}

TEST_F(DriverTest, JudgesTheSameSourceOnce) {
  for (const char* step : {"g001/writer-1/try-1", "g001/writer-2/try-1"})
    model->answers[step] = Model::kernel("copy ns=1500000000");
  work();
  const core::Tree run = tree();
  EXPECT_EQ(run.nodes[2].candidate, run.nodes[3].candidate);
  EXPECT_EQ(run.nodes[2].verdict->evaluation, run.nodes[3].verdict->evaluation);
  EXPECT_EQ(std::count_if(jobs.begin(), jobs.end(),
                          [](const auto& job) { return job.ends_with("-screen"); }),
            4);
}

TEST_F(DriverTest, StopsWithItsWorkAwayAndGoesOnWhenItIsBack) {
  away = true;
  settings.budget.candidates = 1;
  ASSERT_EQ(work().state, store::RunState::finished)
      << "jobs have the run's id in their names: it has begun now";
  states["-00003-screen"] = states["-00004-screen"] = JobDone::State::away;
  settings.budget.candidates = 4;
  const auto waiting = work();
  EXPECT_EQ(waiting.state, store::RunState::away);
  EXPECT_THAT(waiting.away, ElementsAre(run_id + "-00003-screen", run_id + "-00004-screen"));
  states.clear();
  named.clear();
  EXPECT_EQ(work().state, store::RunState::finished);
  for (const auto& node : tree().nodes) EXPECT_TRUE(node.verdict) << node.number;
}

TEST_F(DriverTest, EndsAsFailedWhereTheEnvironmentIsBroken) {
  settings.budget.candidates = 1;
  work();
  states["-00003-screen"] = JobDone::State::broken;
  settings.budget.candidates = 2;
  EXPECT_THROW(work(), base::Error);
  EXPECT_EQ(store::get_run(archive, run_id).state, store::RunState::failed);
  states.clear();
  named.clear();
  EXPECT_EQ(work().state, store::RunState::finished) << "it goes on once that is fixed";
}

TEST_F(DriverTest, DecidesNothingOnceItIsCancelled) {
  cancelled = true;
  const auto result = work();
  EXPECT_EQ(result.state, store::RunState::stopped);
  EXPECT_THAT(model->asked, IsEmpty());
  cancelled = false;
  EXPECT_EQ(work().state, store::RunState::finished);
}

TEST_F(DriverTest, KeepsAsManyInFlightAsItMay) {
  settings.strategy = "oneshot";
  settings.slots = 2;
  work();
  const core::Tree run = tree();
  for (const auto& act : run.actions)
    if (act.node != 0) {
      EXPECT_EQ(act.action.place.origin, core::Origin::one_shot);
    }
  EXPECT_EQ(core::places_taken(run), 4);
}

TEST_F(DriverTest, PublishesItsStatusForOtherProcesses) {
  model->answers["g001/writer-2/try-1"] = Model::kernel("copy ns=500000000");
  const auto result = work();
  auto other = store::Archive::open(place.path() / "archive.db");
  const RunStatus status = read_status(other, run_id);
  EXPECT_EQ(status.candidates, result.status.candidates);
  EXPECT_EQ(status.best, result.status.best);
  EXPECT_DOUBLE_EQ(*status.best_seconds, 0.5);
  EXPECT_EQ(status.spending.calls, result.status.spending.calls);
  EXPECT_FALSE(statuses.empty());
}

}  // namespace
}  // namespace hone::run
