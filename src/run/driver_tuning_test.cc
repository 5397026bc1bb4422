// Tuning as the loop sees it: what becomes of the node, its budget, and what is asked again.
#include <gmock/gmock.h>

#include "base/error.h"
#include "run/driver_test_parts.h"
#include "store/candidates.h"

namespace hone::run {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using DriverTuningTest = DriverTest;

// Its answer has a table whose default doubles the time.
std::string tunable_kernel(const std::string& behaviour) {
  std::string text = Model::kernel(behaviour);
  const std::string launch = "[[launch]]";
  return text.insert(text.find(launch), "[tune]\nA = { values = [1, 2], default = 2 }\n");
}

TEST_F(DriverTuningTest, HasTheTunedSourceInTheNodeAndShowsItToTheWriterOfItsChild) {
  model->answers["g001/writer-2/try-1"] = tunable_kernel("copy ns=300000000");
  model->answers["g002/selector/try-1"] = R"({"basis": 4, "reference": "none", "rationale": "y"})";
  settings.budget.candidates = 5;
  const auto result = work();
  const core::Tree run = tree();
  const core::Node& node = run.nodes[3];
  ASSERT_TRUE(node.tuning);
  EXPECT_NE(node.candidate, node.as_written);
  EXPECT_EQ(node.tuning->points, 5);
  EXPECT_EQ(node.tune_points, more_points);
  EXPECT_DOUBLE_EQ(node.seconds(), 0.3);
  EXPECT_THAT(store::get_candidate(archive, node.candidate).source, HasSubstr("default = 1 "));
  EXPECT_THAT(store::get_candidate(archive, node.as_written).source, HasSubstr("default = 2 "));
  EXPECT_EQ(*result.best, 4);
  EXPECT_THAT(said, Contains(HasSubstr("its defaults are A = 1 now, 2.00 times as fast")));
  int shown = 0;
  for (const auto& call : store::calls_of(archive, run_id, true))
    if (call.start.step == "g002/writer-1/try-1") {
      ++shown;
      EXPECT_THAT(call.start.prompt, HasSubstr("default = 1 "));
      EXPECT_THAT(call.start.prompt, Not(HasSubstr("default = 2 ")));
      EXPECT_THAT(call.start.prompt, HasSubstr("Hone tuned it: 5 points of its [tune] table"));
    }
  EXPECT_EQ(shown, 1);
}

TEST_F(DriverTuningTest, TunesTheSameSourceOnceAndWithinItsBudget) {
  for (const char* step : {"g001/writer-1/try-1", "g001/writer-2/try-1"})
    model->answers[step] = tunable_kernel("copy ns=300000000");
  model->answers["g001/writer-3/try-1"] = tunable_kernel("copy ns=310000000");
  settings.tune_evals = 7;
  work();
  const core::Tree run = tree();
  EXPECT_EQ(run.nodes[2].candidate, run.nodes[3].candidate);
  EXPECT_EQ(run.nodes[3].as_written, run.nodes[2].as_written);
  int points = 0;
  for (const auto& node : run.nodes) points += node.tuning ? node.tuning->points : 0;
  EXPECT_GE(points, 5) << "of the candidate whose answer came first, whichever it was";
  EXPECT_LE(points, 7);
  const auto before = tuned;
  work();
  EXPECT_EQ(tuned, before) << "nothing is tuned again when it is resumed";
}

TEST_F(DriverTuningTest, TunesNothingWhereItMayNot) {
  model->answers["g001/writer-2/try-1"] = tunable_kernel("copy ns=300000000");
  settings.tune_evals = 0;
  work();
  EXPECT_THAT(tuned, IsEmpty());
  const core::Tree run = tree();
  EXPECT_EQ(run.nodes[3].as_written, "");
  EXPECT_DOUBLE_EQ(run.nodes[3].seconds(), 0.6);
}

TEST_F(DriverTuningTest, AsksForTheSameTuningWhenItIsKilledBeforeTheVerdict) {
  settings.budget.candidates = 1;
  work();
  model->answers["g001/writer-1/try-1"] = tunable_kernel("copy ns=300000000");
  states["-00003-screen"] = JobDone::State::broken;
  settings.budget.candidates = 2;
  EXPECT_THROW(work(), base::Error);
  states.clear();
  named.clear();
  settings.tune_evals = 9;  // what was promised stays promised
  EXPECT_EQ(work().state, store::RunState::finished);
  EXPECT_THAT(tuned, ElementsAre(more_points));
  EXPECT_EQ(tree().nodes[2].tuning->points, 5);
}

}  // namespace
}  // namespace hone::run
