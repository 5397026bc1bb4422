#include "run/scores.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "run/baselines.h"

namespace hone::run {
namespace {

Score score(const std::string& problem, bool solved, double seconds, double baseline, bool weak = false) {
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
  const std::vector<Score> scores = {score("a", true, 1, 4), score("b", true, 2, 2), score("c", false, 1, 9),
                                     score("d", true, 1, 0)};
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
}  // namespace hone::run
