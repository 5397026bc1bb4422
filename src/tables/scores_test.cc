#include "tables/scores.h"

#include "text/classes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "base/files.h"
#include "base/json_probe.h"
#include "judge/precision/placing.h"
#include "tables/baselines.h"

namespace hone::tables {
namespace {

Score score(const std::string& problem, bool solved, double seconds, double baseline,
            bool weak = false) {
  Score one;
  one.problem = problem;
  one.class_name = "fp32";
  one.solved = solved;
  if (seconds > 0) one.seconds = seconds;
  if (baseline > 0) one.baseline = baseline;
  if (weak) one.weak = {"zeros pass"};
  return one;
}

TEST(Scores, AnUnsolvedProblemCountsAsOneAndOneWithoutABaselineNotAtAll) {
  const std::vector<Score> scores = {score("a", true, 1, 4), score("b", true, 2, 2),
                                     score("c", false, 1, 9), score("d", true, 1, 0)};
  const Summary summary = summarise(scores, "fp32");
  EXPECT_EQ(summary.problems, 3u);
  EXPECT_EQ(summary.solved, 3u);
  EXPECT_EQ(summary.without_baseline, 1u);
  EXPECT_DOUBLE_EQ(summary.fast_1, 1.0 / 3) << "as fast as torch is not faster";
  EXPECT_DOUBLE_EQ(summary.fast_2, 1.0 / 3);
  EXPECT_DOUBLE_EQ(summary.geomean_all, std::cbrt(4.0));
  EXPECT_DOUBLE_EQ(*summary.geomean_solved, 2.0);
  EXPECT_DOUBLE_EQ(*summary.median_solved, 2.5);
  EXPECT_DOUBLE_EQ(summary.median_all, 1.0);
  EXPECT_EQ(summarise(scores, "tf32").problems, 0u);
}

TEST(Scores, WeakProblemsAreCountedAndCanBeLeftOut) {
  const std::vector<Score> scores = {score("a", true, 1, 4, true), score("b", true, 1, 2)};
  EXPECT_EQ(summarise(scores, "fp32").weak, 1u);
  EXPECT_DOUBLE_EQ(*summarise(scores, "fp32", false).geomean_solved, 2.0);
}

core::Evaluation evaluated(double seconds, bool fp32, bool tf32) {
  core::Evaluation evaluation;
  evaluation.outcome = core::Outcome::accepted;
  evaluation.geomean = seconds;
  const auto add = [&](const std::string& tag, double value) {
    evaluation.metrics.push_back({tag, "1", value, "", "", {}, {}});
  };
  add("class.fp32.solved", fp32 ? 1 : 0);
  add("class.tf32.solved", tf32 ? 1 : 0);
  add("class.error.rms", 3e-4);
  add("class.tf32.eager.rms", 2.9e-4);
  add("class.tf32.ceiling", 0.5);
  add("share.own_kernels", 0.25);
  add("precision.tensor_instructions.tf32", 96);
  add("precision.tensor_instructions", 96);
  return evaluation;
}

TEST(Scores, AClassHasItsOwnFastestCandidateAndWhatItUsed) {
  Score fp32 = score("a", false, 0, 0), tf32 = fp32;
  tf32.class_name = "tf32";
  for (Score* one : {&fp32, &tf32}) {
    take(evaluated(2, true, true), "exact", *one);
    take(evaluated(1, false, true), "quick", *one);
    auto wrong = evaluated(0.5, true, true);
    wrong.outcome = core::Outcome::wrong;
    take(wrong, "wrong", *one);
  }
  EXPECT_EQ(fp32.candidate, "exact");
  EXPECT_EQ(tf32.candidate, "quick");
  EXPECT_EQ(tf32.precision, "errors as in TF32; tensor cores: tf32");
  EXPECT_EQ(tf32.own_share, 0.25);
  EXPECT_EQ(tf32.ceiling_fraction, 0.5);
  EXPECT_EQ(tf32.eager_rms, 2.9e-4);
  Score none = score("a", false, 0, 0);
  take(evaluated(1, false, true), "quick", none);
  EXPECT_TRUE(none.tried);
  EXPECT_FALSE(none.solved) << "a candidate that is not in the class has not solved it there";
}

TEST(Scores, AWeakProblemIsKnownByTheLabelsOfItsEvaluations) {
  auto evaluation = evaluated(1, true, true);
  evaluation.evidence.push_back(
      {"weak", 27, false, "", "zeros pass" + std::string(judge::own_check)});
  EXPECT_EQ(text::weak_of(evaluation), std::vector<std::string>{"zeros pass"});
  Score one = score("a", false, 0, 0);
  take(evaluation, "x", one);
  EXPECT_EQ(one.weak.size(), 1u);
}

BaselineLine line(const std::string& class_name, double eager, double compiled) {
  BaselineLine one;
  one.problem = "level1_1";
  one.reference = "r";
  one.device = "d";
  one.class_name = class_name;
  one.eager.median = eager;
  one.compiled.median = compiled;
  one.compiled.missing = compiled > 0 ? "" : "no compiler";
  return one;
}

TEST(Baselines, TheBestOfAClassIsTheFasterOneAndTheProtocolsIsEager) {
  EXPECT_EQ(best_of(line("fp32", 2, 1))->mode, "compile");
  EXPECT_EQ(best_of(line("fp32", 2, 0))->seconds, 2);
  EXPECT_EQ(best_of(line("protocol", 2, 1))->mode, "eager");
  EXPECT_FALSE(best_of(line("protocol", 0, 1)));
  auto both = line("fp32", 2, 1);
  EXPECT_FALSE(best_of(both, true)->batched) << "it was not measured";
  both.eager.batch_seconds = 3;
  both.compiled.batch_seconds = 4;
  EXPECT_EQ(best_of(both, true)->mode, "eager");
  EXPECT_EQ(best_of(both, true)->seconds, 3);
  EXPECT_EQ(best_of(both)->seconds, 1);
}

TEST(Baselines, ALineThatWasCutOffIsDoneAgainAndTheLatestCounts) {
  const base::TemporaryFolder folder("baselines-test");
  const auto file = folder.path() / "deep" / "baselines.jsonl";
  EXPECT_TRUE(read_baselines(file).empty());
  append_baseline(file, line("fp32", 2, 1));
  std::ofstream(file, std::ios::app) << R"({"problem": "level1_2", "cla)";
  append_baseline(file, line("fp32", 4, 0));
  append_baseline(file, line("tf32", 3, 0));
  const auto lines = read_baselines(file);
  ASSERT_EQ(lines.size(), 3u);
  const auto* found = find_baseline(lines, "r", "d", "fp32");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->eager.median, 4);
  EXPECT_EQ(found->compiled.missing, "no compiler");
  EXPECT_EQ(find_baseline(lines, "r", "another", "fp32"), nullptr);
}

}  // namespace
}  // namespace hone::tables
