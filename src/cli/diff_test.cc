#include "cli/diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "base/json_probe.h"
#include "core/source_lines.h"
#include "report/summary_example.h"
#include "task/candidate_loader.h"

namespace hone::cli {
namespace {

using base::JsonProbe;
using report::example::ExampleRun;
using store::testing::a_candidate;
using store::testing::a_task;
using store::testing::an_evaluation;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

struct TwoCandidates : ::testing::Test {
  store::testing::Fixture f;
  ExampleRun example{f.archive};

  app::DiffResult between(const std::string& a, const std::string& b) {
    app::DiffRequest request;
    request.archive = f.path.string();
    request.a = a;
    request.b = b;
    return app::diff(request);
  }
};

TEST_F(TwoCandidates, ShowsWhatDiffersAndWhatEachTakes) {
  const auto result = between(example.run + ":1", example.run);
  EXPECT_THAT(
      diff_text(result, {}),
      AllOf(HasSubstr("--- " + example.run + ":00001\n+++ " + example.run + ":00006\n"),
            HasSubstr("\n-// seed/given-seed of"), HasSubstr("\n+// g002/writer-1/try-1 of"),
            HasSubstr("geometric mean"), HasSubstr("1.00 ms"), HasSubstr("510 µs"),
            HasSubstr("1.96×"),
            HasSubstr("Side by side, b is faster than a: 2.00× as fast (99 %: 1.92× to 2.08×)")));
  const JsonProbe answer = base::probe(result);
  EXPECT_EQ(answer["compared"]["id"], example.comparison);
  EXPECT_EQ(answer["b"]["evaluation"], example.certified);
  EXPECT_THAT(diff_text(between(example.run + ":1", example.run + ":1"), {}),
              HasSubstr("The sources are the same."));
}

TEST_F(TwoCandidates, AnswerProgramsWithTheTimesOfEachAndTheComparison) {
  const JsonProbe answer = base::probe(between(example.run + ":1", example.run));
  EXPECT_EQ(answer["a"]["name"], example.run + ":00001");
  EXPECT_EQ(answer["a"]["outcome"], "accepted");
  EXPECT_DOUBLE_EQ(answer["b"]["geomean_s"].number(), 0.51e-3);
  EXPECT_DOUBLE_EQ(answer["b"]["cases"]["prime"]["median_s"].number(), 0.51e-3);
  EXPECT_EQ(answer["compared"]["word"], "faster");
  EXPECT_DOUBLE_EQ(answer["compared"]["ratio"].number(), 0.5);
  EXPECT_EQ(answer["compared"]["interval"].dump(), "[0.48,0.52]");
  EXPECT_THAT(answer["diff"].text(), HasSubstr("\n-// seed/given-seed of"));
  const JsonProbe one_way = base::probe(between(example.run, example.run + ":1"));
  EXPECT_EQ(one_way["compared"], nullptr) << "that was of b against a";
}

TEST_F(TwoCandidates, SayHowAFileWithoutAPlanWasEvaluated) {
  const auto file = f.folder.path() / "plain.cl";
  base::write_file_atomically(file, "__kernel void own(__global float* y) { y[0] = 1; }\n");
  const auto told = [&] { return diff_text(between(file.string(), file.string()), {}); };
  EXPECT_THAT(
      told(),
      AllOf(HasSubstr("has no launch plan, and no evaluation of it with a task's plan was found"),
            Not(HasSubstr("never evaluated"))));
  const std::string plan =
      "/* hone 1\n[[launch]]\nkernel = \"own\"\ngrid = [1]\nblock = [1]\nargs = [\"y\"]\n*/\n";
  auto candidate =
      task::candidate_from(plan + std::string(core::line_restart) + base::read_file(file),
                           core::Language::opencl, "plain.cl");
  ASSERT_TRUE(candidate);
  store::record_candidate(
      f.archive,
      {{candidate->hash, candidate->language, candidate->name, "user", ""}, candidate->source, {}});
  core::Evaluation evaluation = an_evaluation(a_task(), a_candidate());
  evaluation.key.candidate = candidate->hash;
  const std::string id = store::record_evaluation(f.archive, evaluation, "a GPU");
  EXPECT_THAT(told(), HasSubstr("by evaluation " + id));
}

}  // namespace
}  // namespace hone::cli
