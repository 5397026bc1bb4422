// Tools on kernels that have a defect and on ones that have not, by the metrics that each would
// show: what holds for all of them, and those that look at launches and grids.
#include <gmock/gmock.h>

#include <set>

#include "profile/gains.h"
#include "profile/tool_test_waiting.h"

namespace hone::profile {
namespace {

using core::Severity;
using testing::HasSubstr;
using Role = core::ResolvedBuffer::Role;

TEST(Tools, AKernelWithoutADefectGetsNoAdvice) {
  const auto stage = run_tools(waiting().facts());
  for (const auto& advice : stage.advice) ADD_FAILURE() << advice.tool << ": " << advice.evidence;
  for (const auto& left : stage.left_out)
    EXPECT_TRUE(left.tool == "launch-chain" || left.tool == "power-limited")
        << left.tool << ": " << left.why;
}

TEST(Tools, AreNamedOnceAndSayWhenTheySpeak) {
  std::set<std::string_view> names;
  for (const auto& tool : tools()) {
    EXPECT_TRUE(names.insert(tool.name).second) << tool.name;
    EXPECT_FALSE(tool.summary.empty() || tool.trigger.empty()) << tool.name;
    EXPECT_TRUE(tool.summary.ends_with('.')) << tool.name;
  }
}

TEST(Severities, FollowFromTheGain) {
  EXPECT_EQ(severity_of({20, 30}), Severity::critical);
  EXPECT_EQ(severity_of({1, 90}), Severity::major);
  EXPECT_EQ(severity_of({0, 8}), Severity::minor);
  EXPECT_FALSE(severity_of({0, 2}));
}

// ---- the grid
TEST(TailEffect, CountsTheIdlePartOfTheLastWave) {
  auto example = waiting()
                     .with(tag::waves, 1.05)
                     .with(tag::sm_active_mean, 1e6)
                     .with(tag::sm_active_max, 1.7e6);
  const auto advice = example.ask("tail-effect");
  ASSERT_TRUE(advice);
  EXPECT_LT(advice->gain.low, 47.5);
  EXPECT_NEAR(advice->gain.high, 47.5, 2);
  EXPECT_FALSE(waiting().with(tag::waves, 1.98).ask("tail-effect"));
  EXPECT_FALSE(waiting().with(tag::waves, 12.4).ask("tail-effect"));
  EXPECT_FALSE(waiting().with(tag::waves, 1.05).ask("tail-effect")) << "no SM was seen idle";
}

TEST(FewBlocks, CountsTheSmsWithNothingToDo) {
  Example example("work", {33, 1, 1}, {256, 1, 1});
  example.takes(1e-3, 1e6).with(tag::dram_fraction, 0.05);
  const auto advice = example.ask("few-blocks");
  ASSERT_TRUE(advice);
  EXPECT_NEAR(advice->gain.high, 75, 0.1);
  EXPECT_FALSE(waiting().ask("few-blocks"));
}

TEST(UnbalancedSms, IsNotTheLastWave) {
  auto example = waiting().with(tag::sm_active_mean, 1e6).with(tag::sm_active_max, 2e6);
  const auto advice = example.ask("unbalanced-sms");
  ASSERT_TRUE(advice);
  EXPECT_NEAR(advice->gain.high, 55, 0.1);
  EXPECT_FALSE(example.with(tag::waves, 1.2).ask("unbalanced-sms"));
}

// ---- launches
TEST(LaunchChain, NamesTheKernelsAndTheGaps) {
  auto example = waiting(30e-6).takes(30e-6, 1e6);
  example.launch("second", {132, 1, 1}, {256, 1, 1});
  example.of_call(tag::system_span, 30e-6)
      .of_call(tag::system_gaps, 12e-6)
      .of_call(tag::system_kernels, 18e-6);
  EXPECT_EQ(example.facts().diagnosis.bound, core::Bound::launch);
  const auto advice = example.ask("launch-chain");
  ASSERT_TRUE(advice);
  EXPECT_THAT(advice->recommendation, HasSubstr("`work`, `second`"));
  EXPECT_NEAR(advice->gain.high, 45, 0.1);  // 12 µs of gaps and 1.5 µs for a start, of 30
  EXPECT_FALSE(example.of_call(tag::system_gaps, 1e-6).ask("launch-chain"));
}

TEST(Intermediates, CountScratchThatIsWrittenAndRead) {
  auto example = waiting().takes(1e-3, 1e9);
  example.launch("second", {132, 1, 1}, {256, 1, 1})
      .buffer("partial", Role::scratch, core::DType::f32, {1}, 4e8);
  const auto advice = example.ask("intermediates");
  ASSERT_TRUE(advice);
  EXPECT_NEAR(advice->gain.high, 100 * (8e8 / 4.23e12 / 1e-3 + 1.5e-3),
              0.1);  // and a start of 1.5 µs
  auto all_bytes = waiting().takes(1e-3, 3.4e9);
  all_bytes.launch("second", {132, 1, 1}, {256, 1, 1})
      .buffer("partial", Role::scratch, core::DType::f32, {1}, 3e8);
  EXPECT_NEAR(all_bytes.ask("intermediates")->gain.high, 100 * (6e8 / 4e9 + 1.5e-3), 0.1);
  auto small = waiting().takes(1e-3, 1e9);
  small.launch("second", {1, 1, 1}, {256, 1, 1})
      .buffer("partial", Role::scratch, core::DType::f32, {1}, 4e6);
  EXPECT_FALSE(small.ask("intermediates"));
}

}  // namespace
}  // namespace hone::profile
