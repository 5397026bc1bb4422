#include <gtest/gtest.h>

#include "core/stats.h"
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

TEST(Floor, KnowsWhichCeilingsOtherUnitsCanBeat) {
  core::Ceilings gpu;
  gpu.flops = {{"f32", 65e12}, {"f64", 62e12}, {"tf32", 449e12}, {"bf16", 938e12}};
  EXPECT_TRUE(has_faster_units("f32", gpu));
  EXPECT_TRUE(has_faster_units("tf32", gpu));
  EXPECT_FALSE(has_faster_units("bf16", gpu));
  EXPECT_FALSE(has_faster_units("memory", gpu));
  core::Ceilings cpu;
  cpu.flops = {{"f32", 136e9}, {"f64", 134e9}};
  EXPECT_FALSE(has_faster_units("f32", cpu));
}

TEST(Sanitizer, ReportsErrorsAndNothingElse) {
  EXPECT_EQ(sanitizer_errors("========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n"),
            "");
  const std::string log =
      "========= COMPUTE-SANITIZER\n========= Invalid __global__ write of size 4 bytes\n=========  "
      "   at k+0x80\n========= ERROR SUMMARY: 1 error\n";
  EXPECT_NE(sanitizer_errors(log).find("Invalid __global__ write of size 4 bytes"),
            std::string::npos);
  EXPECT_EQ(sanitizer_errors(log).find("SUMMARY"), std::string::npos);
}

TEST(Sanitizer, IgnoresFailedApiCalls) {
  EXPECT_EQ(sanitizer_errors("========= Program hit CUDA_ERROR_INVALID_VALUE (error 1) due to "
                             "\"invalid argument\" on CUDA API call to cuFuncGetParamInfo.\n"
                             "=========     Saved host backtrace up to driver entry point at "
                             "error\n=========         Host Frame: [0x1] in hone\n"),
            "");
  EXPECT_NE(sanitizer_errors("========= Error: Race reported between Write access at k+0x10 and "
                             "Read access at k+0x20\n"),
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
