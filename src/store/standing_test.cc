#include "store/standing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/test_support.h"

namespace hone::store {
namespace {

using core::Depth;
using core::Outcome;
using testing::a_candidate;
using testing::a_task;
using testing::an_evaluation;
using ::testing::ElementsAre;

struct StandingVerdict : ::testing::Test {
  testing::Fixture f;
  Archive& archive = f.archive;
  TaskRecord task = a_task();
  CandidateRecord candidate = a_candidate();

  void SetUp() override {
    record_task(archive, task);
    record_candidate(archive, candidate);
  }

  core::Evaluation evaluation(Depth depth, Outcome outcome, int protocol = 7) {
    core::Evaluation e = an_evaluation(task, candidate);
    e.key.depth = depth;
    e.key.protocol = protocol;
    e.outcome = outcome;
    if (outcome != Outcome::accepted) {
      e.geomean.reset();
      e.evidence = {{"tolerance", 27, true, "prime", "Element 5 is far off."}};
    }
    return e;
  }
  std::string record(const core::Evaluation& e) { return record_evaluation(archive, e, "H200"); }
  std::string record(Depth depth, Outcome outcome, int protocol = 7) {
    return record(evaluation(depth, outcome, protocol));
  }

  std::vector<std::string> standing(const StandingFilter& filter = {}) {
    std::vector<std::string> ids;
    for (const auto& one : standing_evaluations(archive, candidate.line.hash, filter))
      ids.push_back(one.id);
    return ids;
  }
  bool refused(std::vector<std::string> cases = {}) {
    auto key = evaluation(Depth::screen, Outcome::accepted).key;
    key.cases = std::move(cases);
    return refusal_of(archive, key).has_value();
  }
};

TEST_F(StandingVerdict, IsTheDeepestWhateverCameLater) {
  EXPECT_THAT(standing(), ElementsAre());
  EXPECT_FALSE(refused());
  record(Depth::screen, Outcome::accepted);
  EXPECT_FALSE(refused());
  const auto certified = record(Depth::certify, Outcome::wrong);
  EXPECT_TRUE(refused());
  record(Depth::screen, Outcome::accepted);
  EXPECT_TRUE(refused()) << "screening once more does not see what certifying saw";
  EXPECT_THAT(standing(), ElementsAre(certified));
}

TEST_F(StandingVerdict, IsTheLatestOfThoseOfOneDepth) {
  record(Depth::certify, Outcome::crashed);
  const auto again = record(Depth::certify, Outcome::accepted);
  EXPECT_FALSE(refused());
  EXPECT_THAT(standing(), ElementsAre(again));
  record(Depth::certify, Outcome::wrong);
  EXPECT_TRUE(refused());
}

TEST_F(StandingVerdict, IsThatOfTheNewestRules) {
  record(Depth::certify, Outcome::cheating, 6);
  record(Depth::screen, Outcome::accepted, 7);
  EXPECT_FALSE(refused()) << "older rules refused it, newer ones did not";
  record(Depth::screen, Outcome::cheating, 8);
  EXPECT_TRUE(refused());
  record(Depth::certify, Outcome::accepted, 7);
  EXPECT_TRUE(refused()) << "older rules, however late and deep, do not overrule newer ones";
}

TEST_F(StandingVerdict, IsOfOnePointTaskAndDevice) {
  record(Depth::screen, Outcome::accepted);
  const TaskRecord other = a_task("softmax", "2");
  record_task(archive, other);
  auto elsewhere = evaluation(Depth::certify, Outcome::wrong);
  elsewhere.key.task = other.hash;
  record(elsewhere);
  elsewhere = evaluation(Depth::certify, Outcome::wrong);
  elsewhere.key.device = "GPU-2";
  record(elsewhere);
  elsewhere = evaluation(Depth::certify, Outcome::wrong);
  elsewhere.key.point = {{"BLOCK", 512}};
  record(elsewhere);
  EXPECT_FALSE(refused());
  EXPECT_EQ(standing().size(), 4u);
}

TEST_F(StandingVerdict, MayBeARefusalInOneCaseButNoAcceptanceInOneCase) {
  auto limited = evaluation(Depth::certify, Outcome::accepted);
  limited.key.cases = {"prime"};
  record(Depth::screen, Outcome::wrong);
  record(limited);
  EXPECT_TRUE(refused()) << "the other cases were not looked at";
  EXPECT_FALSE(refused({"prime"}));
  record(Depth::certify, Outcome::accepted);
  EXPECT_FALSE(refused());
  limited = evaluation(Depth::certify, Outcome::wrong);
  limited.key.cases = {"prime"};
  record(limited);
  EXPECT_TRUE(refused());
  EXPECT_TRUE(refused({"rows=4096"})) << "what is wrong in one case is wrong";
}

TEST_F(StandingVerdict, IsNoneOfAnEvaluationThatWasNotCarriedThrough) {
  record(Depth::screen, Outcome::accepted);
  auto undecided = evaluation(Depth::certify, Outcome::rejected);
  undecided.evidence = {{"lower precision", 26, false, "", "A label."}};
  record(undecided);
  EXPECT_FALSE(refused()) << "nothing convicts it";
  record(Depth::certify, Outcome::rejected);
  EXPECT_TRUE(refused());
}

// Other programs kept the machine busy: that says nothing about the candidate, for or against it.
TEST_F(StandingVerdict, IsNoneOfAnEvaluationThatIsUndecided) {
  record(Depth::certify, Outcome::undecided);
  EXPECT_FALSE(refused());
  EXPECT_TRUE(standing().empty());
  const auto accepted = record(Depth::screen, Outcome::accepted);
  record(Depth::certify, Outcome::undecided);
  EXPECT_THAT(standing(), ElementsAre(accepted));
  const auto refusal = record(Depth::screen, Outcome::wrong);
  record(Depth::screen, Outcome::undecided);
  EXPECT_THAT(standing(), ElementsAre(refusal));
}

TEST_F(StandingVerdict, AnUndecidedEvaluationAnswersNoQuestion) {
  record(Depth::screen, Outcome::undecided);
  const auto key = evaluation(Depth::screen, Outcome::accepted).key;
  EXPECT_FALSE(find_evaluation(archive, key)) << "it is made again";
  const auto decided = record(Depth::screen, Outcome::accepted);
  record(Depth::screen, Outcome::undecided);
  ASSERT_TRUE(find_evaluation(archive, key));
  EXPECT_EQ(find_evaluation(archive, key)->id, decided);
  EXPECT_EQ(list_evaluations(archive, {.outcome = Outcome::undecided}).size(), 2u)
      << "but they are kept";
}

TEST_F(StandingVerdict, CanBeAskedForAmongEvaluationsWithAMetric) {
  auto placed = evaluation(Depth::screen, Outcome::accepted);
  placed.metrics.push_back({"class.fp32.solved", "1", 1.0, "", "", {}, {}});
  const auto first = record(placed), later = record(Depth::screen, Outcome::accepted);
  EXPECT_THAT(standing(), ElementsAre(later));
  EXPECT_THAT(standing({.metric = "class.fp32.solved"}), ElementsAre(first));
  const auto refusal = record(Depth::certify, Outcome::wrong);
  EXPECT_THAT(standing({.metric = "class.fp32.solved"}), ElementsAre(refusal))
      << "a refusal needs no metric";
}

TEST_F(StandingVerdict, DecidesWhichEvaluationIsTheBest) {
  const CandidateRecord slower = a_candidate("slower.cl");
  record_candidate(archive, slower);
  core::Evaluation slow = an_evaluation(task, slower);
  slow.key.protocol = 7;
  slow.geomean = 2e-3;
  const auto expected = record(slow), quick = record(Depth::screen, Outcome::accepted);
  const auto best = [&] {
    return best_evaluation(archive, task.hash, "GPU-1234", 7, Depth::screen)->id;
  };
  EXPECT_EQ(best(), quick);
  record(Depth::certify, Outcome::wrong);
  EXPECT_EQ(best(), expected);
}

}  // namespace
}  // namespace hone::store
