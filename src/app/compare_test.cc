#include "app/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/test_support.h"
#include "base/json_probe.h"
#include "store/comparisons.h"
#include "store/evaluations.h"

namespace hone::app {
namespace {

struct Compare : testing::Test {
  FakePlace place;
  RecordingSink sink;
  CompareRequest request = place.request<CompareRequest>();

  Compare() {
    request.task = place.task_name();
    request.a = place.good();
    request.b = place.candidate("faster.fake", "copy ns=900000000");
  }
  std::size_t evaluations() const {
    auto archive = place.archive();
    return store::list_evaluations(archive, {}).size();
  }
};

TEST_F(Compare, AnswersRecordsAndTellsWhatItDoes) {
  const auto result = compare(request, sink);
  EXPECT_EQ(result.comparison.word, core::Comparison::faster);
  EXPECT_NEAR(result.comparison.ratio_estimate, 0.9, 1e-6);
  EXPECT_EQ(result.device.id, "fake:1");
  ASSERT_FALSE(result.id.empty());
  auto archive = place.archive();
  EXPECT_EQ(store::comparisons_of(archive, result.comparison.b.key.candidate, 10).at(0).id,
            result.id);
  EXPECT_EQ(evaluations(), 2u);
  ASSERT_FALSE(sink.steps.empty());
  EXPECT_EQ(sink.steps.back().text, "") << "nothing is being done any more";
  const auto said = base::probe(result);
  EXPECT_EQ(said["word"], "faster");
  EXPECT_EQ(said["id"], result.id);
  EXPECT_EQ(said["a"]["outcome"], "accepted");
  EXPECT_EQ(said["cases"].size(), 1u);
  EXPECT_FALSE(said.contains("error"));
}

TEST_F(Compare, RecordsNothingWhereThatIsNotWanted) {
  request.record = false;
  EXPECT_EQ(compare(request, sink).id, "");
  EXPECT_EQ(evaluations(), 0u);
}

TEST_F(Compare, SaysOfTheOtherSideThatItWasNotJudgedWhereOneIsRefused) {
  request.a = place.wrong();
  const auto result = compare(request, sink);
  EXPECT_FALSE(result.comparison.compared);
  EXPECT_TRUE(judge::was_judged(result.comparison.a));
  EXPECT_FALSE(judge::was_judged(result.comparison.b));
  const auto said = base::probe(result);
  EXPECT_EQ(said["a"]["outcome"], "wrong");
  EXPECT_EQ(said["b"], nullptr);
  EXPECT_FALSE(said.contains("id"));
}

TEST_F(Compare, EndsBetweenTheSidesOnceItIsCancelled) {
  sink.cancel();
  EXPECT_EQ(code_of([&] { compare(request, sink); }), base::ExitCode::interrupted);
  EXPECT_EQ(evaluations(), 1u) << "the verdict that was there is kept";
}

TEST_F(Compare, RefusesACaseThatTheTaskDoesNotHave) {
  request.case_name = "huge";
  EXPECT_EQ(code_of([&] { compare(request, sink); }), base::ExitCode::bad_input);
}

}  // namespace
}  // namespace hone::app
