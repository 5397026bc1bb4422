#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "judge/compare.h"
#include "judge/floors.h"
#include "judge/sampling.h"
#include "judge/sanitize.h"

namespace hone::judge {
namespace {

TEST(Sampling, TakesTheMinimumOfSamplesHoweverSlowTheyAre) {
  const SamplingRule rule{5, 100, 0.01, 0.5};
  EXPECT_FALSE(enough(rule, {1.0, 1.0}, 1000));
  EXPECT_TRUE(enough(rule, {1.0, 1.0, 1.0, 1.0, 1.0}, 1000));
  // Without the guard a slow warm-up shortens the measurement.
  EXPECT_TRUE(enough(rule, {1.0, 1.0}, 1000, false));
}

TEST(Sampling, StopsWhenTheIntervalIsNarrowEnough) {
  const SamplingRule rule{5, 100, 0.01, 10};
  std::vector<double> quiet(20, 1.0), noisy;
  for (int i = 0; i < 20; ++i) noisy.push_back(1.0 + 0.1 * (i % 5));
  EXPECT_TRUE(enough(rule, quiet, 0.1));
  EXPECT_FALSE(enough(rule, noisy, 0.1));
  EXPECT_TRUE(enough(rule, noisy, 11));
}

// The result of a comparison whose blocks have this log ratio and 0.3 % of noise. Drift that both candidates share
// cancels within a block, so there is none here.
core::Comparison simulated_comparison(double log_ratio, std::mt19937& random) {
  constexpr double noise = 0.003;
  std::normal_distribution<double> normal(0, noise);
  const CompareRule rule = compare_rule(core::ClockKind::device);
  std::vector<double> seen;
  RatioEstimate now{0, INFINITY};
  for (int n = 0; !comparison_done(rule, now, n, 0); ++n) {
    seen.push_back(log_ratio + normal(random));
    if (seen.size() >= 2) now = estimate({seen});
  }
  return core::word_for({std::exp(now.log_ratio - now.half_width), std::exp(now.log_ratio + now.half_width)},
                        rule.margin);
}

TEST(Compare, RarelyCallsEqualKernelsDifferentAndDetectsHalfAPercent) {
  std::mt19937 random(7);
  int different = 0, slower = 0;
  for (int i = 0; i < 500; ++i) {
    const auto word = simulated_comparison(0, random);
    different += word == core::Comparison::faster || word == core::Comparison::slower;
    slower += simulated_comparison(std::log(1.005), random) == core::Comparison::slower;
  }
  EXPECT_LE(different, 10);
  EXPECT_GE(slower, 475);
}

TEST(Compare, AddsTheVariancesOfCases) {
  const std::vector<double> narrow = {0.01, 0.011, 0.009, 0.01}, wide = {0.0, 0.2, -0.1, 0.1};
  EXPECT_LT(estimate({narrow}).half_width, estimate({narrow, wide}).half_width);
  EXPECT_NEAR(estimate({narrow, wide}).log_ratio, (0.01 + 0.05) / 2, 1e-12);
}

TEST(Compare, HasFourResults) {
  EXPECT_EQ(core::word_for({0.9, 0.95}, 0.002), core::Comparison::faster);
  EXPECT_EQ(core::word_for({1.01, 1.02}, 0.002), core::Comparison::slower);
  EXPECT_EQ(core::word_for({0.999, 1.001}, 0.002), core::Comparison::same);
  EXPECT_EQ(core::word_for({1.0005, 1.001}, 0.002), core::Comparison::same);
  EXPECT_EQ(core::word_for({0.99, 1.01}, 0.002), core::Comparison::cannot_tell);
}

TEST(Floor, ComesFromThePinBandwidthLessTheCache) {
  core::CaseResult result;
  result.bytes = 1100;
  core::DeviceInfo info;
  info.l2_bytes = 100;
  info.pin_bandwidth = 1000;
  EXPECT_DOUBLE_EQ(floor_for(result, info, {}).seconds, 1.0);
  info.pin_bandwidth = 0;
  core::Ceilings ceilings;
  ceilings.copy = 500;
  EXPECT_DOUBLE_EQ(floor_for(result, info, ceilings).seconds, 0.5);
  EXPECT_DOUBLE_EQ(floor_for(result, info, {}).seconds, 0.0);
}

TEST(Floor, LabelsLessArithmeticThanTheFormula) {
  core::CaseResult result;
  result.flops = 1000;
  result.median = 0.5;
  core::Ceilings ceilings;
  ceilings.flops["f32"] = 1000;
  EXPECT_NE(arithmetic_note(result, ceilings), "");
  result.median = 2;
  EXPECT_EQ(arithmetic_note(result, ceilings), "");
}

TEST(Sanitizer, ReportsErrorsAndNothingElse) {
  EXPECT_EQ(sanitizer_errors("========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n"), "");
  const std::string log =
      "========= COMPUTE-SANITIZER\n========= Invalid __global__ write of size 4 bytes\n=========     at "
      "k+0x80\n========= ERROR SUMMARY: 1 error\n";
  EXPECT_NE(sanitizer_errors(log).find("Invalid __global__ write of size 4 bytes"), std::string::npos);
  EXPECT_EQ(sanitizer_errors(log).find("SUMMARY"), std::string::npos);
}

TEST(Sanitizer, IgnoresFailedApiCalls) {
  EXPECT_EQ(sanitizer_errors("========= Program hit CUDA_ERROR_INVALID_VALUE (error 1) due to \"invalid argument\" on "
                             "CUDA API call to cuFuncGetParamInfo.\n"
                             "=========     Saved host backtrace up to driver entry point at error\n=========         "
                             "Host Frame: [0x1] in hone\n"),
            "");
  EXPECT_NE(
      sanitizer_errors("========= Error: Race reported between Write access at k+0x10 and Read access at k+0x20\n"),
      "");
}

TEST(Statistics, IntervalOfTheMedianHasOrderStatistics) {
  std::vector<double> values;
  for (int i = 1; i <= 101; ++i) values.push_back(i);
  const auto interval = core::median_interval(values);
  EXPECT_EQ(core::median(values), 51);
  EXPECT_NEAR(interval.low, 41, 2);
  EXPECT_NEAR(interval.high, 61, 2);
}

}  // namespace
}  // namespace hone::judge
