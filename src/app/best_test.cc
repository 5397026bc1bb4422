#include "app/best.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json_probe.h"
#include "report/summary_example.h"

namespace hone::app {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

struct BestOfARun : ::testing::Test {
  store::testing::Fixture f;
  report::example::ExampleRun example{f.archive};
  BestRequest request;

  void SetUp() override {
    request.archive = f.path.string();
    request.run = example.run;
  }
};

TEST_F(BestOfARun, ComesWithItsSourceAndProvenance) {
  const auto result = best(request);
  EXPECT_EQ(result.candidate.source, example.candidates.back().source);
  EXPECT_THAT(
      result.provenance,
      AllOf(HasSubstr(example.run + ":00006 of task softmax on H200: certified, 510 µs"),
            HasSubstr("2.00× as fast as the seed"), HasSubstr("evaluation " + example.certified)));
  const auto json = base::probe(result);
  EXPECT_EQ(json["source"], result.candidate.source);
  EXPECT_EQ(json["candidate"], result.candidate.hash);
  EXPECT_FALSE(json.contains("written"));
}

TEST_F(BestOfARun, IsWrittenToAFileThatHoldsNothingElse) {
  request.out = (f.folder.path() / "best.cl").string();
  const auto result = best(request);
  EXPECT_EQ(base::read_file(request.out), result.candidate.source);
  EXPECT_EQ(base::probe(result)["written"][0], request.out);
  EXPECT_NO_THROW(best(request)) << "the same text again";
  base::write_file_atomically(request.out, "something else\n");
  EXPECT_THROW(best(request), base::Error);
  request.force = true;
  best(request);
  EXPECT_EQ(base::read_file(request.out), result.candidate.source);
}

TEST_F(BestOfARun, IsNoneWhereThereIsNoSuchRun) {
  request.run = "rabcdef";
  EXPECT_THROW(best(request), base::Error);
}

}  // namespace
}  // namespace hone::app
