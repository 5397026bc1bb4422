#include "run/tune_budget.h"

#include <gtest/gtest.h>

#include "run/job_test_task.h"
#include "run/tune_job.h"

namespace hone::run {
namespace {

class Client : public llm::LlmClient {
 public:
  explicit Client(bool replays) : replays_(replays) {}
  base::Result<llm::Reply, llm::Fault> ask(const llm::Request&, const llm::Cancel&) override {
    return llm::Reply{};
  }
  std::string name() const override { return "client"; }
  std::string price_name() const override { return ""; }
  std::vector<llm::RecordedAnswer> recorded() const override {
    return replays_ ? std::vector<llm::RecordedAnswer>(1) : std::vector<llm::RecordedAnswer>();
  }

 private:
  bool replays_;
};

struct TuneBudget : testing::Test {
  FakeTask place;
  core::Tree tree;
  core::Candidate candidate = [] {
    core::Candidate with_table = fake_candidate("copy");
    with_table.plan.tunables.push_back({"A", {1, 2}, 1, {}});
    return with_table;
  }();

  int share(int budget, bool replays = false, const std::string& write = "device") {
    RunSettings settings;
    settings.tune_evals = budget;
    settings.write = write;
    RoleModels models;
    models["writer"] = {std::make_shared<Client>(replays), std::nullopt};
    return points_for({place.task(), {}, {}, settings, models}, tree, candidate);
  }
  void add(core::Node::State state, int reserved, int measured = -1) {
    core::Node& node = tree.nodes.emplace_back();
    node.state = state;
    node.tune_points = reserved;
    if (measured >= 0) node.tuning.emplace().points = measured;
  }
};

TEST_F(TuneBudget, IsWhatWasMeasuredAndWhatIsReserved) {
  add(core::Node::State::judged, 32, 7);
  add(core::Node::State::judged, 32);  // it was wrong: its share is free again
  add(core::Node::State::written, 32);
  EXPECT_EQ(points_taken(tree), 39);
  EXPECT_EQ(share(200), more_points);
  EXPECT_EQ(share(50), 11);
  EXPECT_EQ(share(39), 0);
  EXPECT_EQ(share(10), 0);
}

TEST_F(TuneBudget, IsForTablesOfDeviceCodeThatAModelReallyWrote) {
  EXPECT_EQ(share(0), 0);
  EXPECT_EQ(share(200, true), 0) << "recorded edits are of the untuned source";
  EXPECT_EQ(share(200, false, "python"), 0);
  candidate.plan.tunables.clear();
  EXPECT_EQ(share(200), 0);
}

TEST_F(TuneBudget, GoesToCandidatesNearTheIncumbent) {
  core::Node node, rival;
  node.tune_points = 12;
  rival.verdict = core::Verdict{.outcome = core::Outcome::accepted, .geomean = 2.0};
  const auto beside = tune_job_for(node, &rival);
  ASSERT_TRUE(beside);
  EXPECT_EQ(beside->most, 12);
  EXPECT_DOUBLE_EQ(beside->under, 2 * worth_tuning);
  EXPECT_DOUBLE_EQ(beside->beats, 2);
  EXPECT_EQ(tune_job_for(node, nullptr)->under, 0) << "there is no incumbent yet";
  node.tune_points = 0;
  EXPECT_FALSE(tune_job_for(node, &rival));
}

}  // namespace
}  // namespace hone::run
