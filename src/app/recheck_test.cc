#include "app/recheck.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/evaluate.h"
#include "app/test_support.h"
#include "base/json_probe.h"
#include "store/evaluations.h"
#include "store/test_support.h"

namespace hone::app {
namespace {

using store::testing::a_candidate;
using store::testing::a_task;
using store::testing::an_evaluation;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(RecheckVerdict, HoldsWithinTheNoiseOfAnotherHour) {
  core::Evaluation then = an_evaluation(a_task(), a_candidate()), now = then;
  const auto word = [&](double ratio, core::ClockKind clock) {
    now.geomean = ratio * *then.geomean;
    return recheck_verdict(then, now, clock).word;
  };
  using Word = Recheck::Word;
  EXPECT_EQ(word(1.015, core::ClockKind::device), Word::holds);
  EXPECT_EQ(word(1.03, core::ClockKind::device), Word::slower);
  EXPECT_EQ(word(1.03, core::ClockKind::host), Word::holds);
  EXPECT_EQ(word(0.9, core::ClockKind::device), Word::faster);
  now.key.device = "GPU-other";
  EXPECT_EQ(word(1.5, core::ClockKind::device), Word::not_comparable);
  now.outcome = core::Outcome::wrong;
  EXPECT_EQ(word(1.0, core::ClockKind::device), Word::not_accepted);
  EXPECT_THAT(recheck_verdict(then, now, core::ClockKind::device).reason,
              AllOf(HasSubstr("any more"), HasSubstr("wrong")));
  now.outcome = core::Outcome::undecided;
  EXPECT_EQ(word(1.0, core::ClockKind::device), Word::undecided)
      << "it is not said to fail any more";
  now.outcome = core::Outcome::wrong;
  then.outcome = core::Outcome::build_failed;
  EXPECT_THAT(recheck_verdict(then, now, core::ClockKind::device).reason,
              AllOf(HasSubstr("build_failed"), Not(HasSubstr("any more"))));
}

struct RecheckRequests : ::testing::Test {
  FakePlace place;
  RecordingSink sink;

  // Of a candidate that was evaluated before.
  RecheckRequest request_for(const std::string& candidate) {
    auto first = place.request<EvaluateRequest>();
    first.task = place.task_name();
    first.candidates = {candidate};
    auto request = place.request<RecheckRequest>();
    request.id = evaluate(first, sink).verdicts.at(0).id;
    return request;
  }
  std::size_t evaluations() const {
    auto archive = place.archive();
    return store::list_evaluations(archive, {}).size();
  }
};

TEST_F(RecheckRequests, CertifyOnceMoreAndRecordThat) {
  const auto request = request_for(place.good());
  const auto result = recheck(request, sink);
  EXPECT_EQ(result.now.key.depth, core::Depth::certify);
  EXPECT_EQ(result.then_id, request.id);
  EXPECT_EQ(result.verdict.word, Recheck::Word::holds);
  EXPECT_EQ(evaluations(), 2u);
  const auto said = base::probe(result);
  EXPECT_EQ(said["word"], "holds");
  EXPECT_EQ(said["ratio"], result.verdict.ratio);
  EXPECT_EQ(said["recorded_id"], request.id);
  EXPECT_EQ(said["id"], result.id);
  EXPECT_EQ(said["candidate"], result.then.key.candidate);
  EXPECT_EQ(said["now"]["key"]["depth"], "certify");
}

TEST_F(RecheckRequests, GiveNoRatioWhereThereIsNoTimeToCompare) {
  const auto result = recheck(request_for(place.wrong()), sink);
  EXPECT_EQ(result.verdict.word, Recheck::Word::not_accepted);
  EXPECT_EQ(base::probe(result)["ratio"], nullptr);
}

TEST_F(RecheckRequests, AreRefusedWhereTheTaskHasChanged) {
  const auto request = request_for(place.good());
  const auto file = place.task_folder() / "task.toml";
  base::write_file_atomically(file, base::read_file(file) + "# changed\n");
  EXPECT_EQ(code_of([&] { recheck(request, sink); }), base::ExitCode::bad_input);
}

TEST_F(RecheckRequests, MeasureNothingOnceTheyAreCancelled) {
  const auto request = request_for(place.good());
  sink.cancel();
  EXPECT_EQ(code_of([&] { recheck(request, sink); }), base::ExitCode::interrupted);
  EXPECT_EQ(evaluations(), 1u);
}

}  // namespace
}  // namespace hone::app
