// Tools that look at arithmetic.
#include <gmock/gmock.h>

#include "profile/tool_test_waiting.h"

namespace hone::profile {
namespace {

using core::Severity;
using testing::ElementsAre;
using testing::HasSubstr;
using Role = core::ResolvedBuffer::Role;

TEST(TensorIdle, LooksAtPrecisionAndShapes) {
  auto example = waiting().takes(30e-3, 1e8, {{"bf16", 1.1e12}}).with("sass.loop_mix.f32", 64);
  const auto advice = example.ask("tensor-idle");
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->severity, Severity::critical);
  EXPECT_FALSE(example.with(tag::sass_hmma, 8).ask("tensor-idle"));
  const double n = 4096, flops = 2 * n * n * n;
  auto single = waiting().takes(4e-3, 12 * n * n, {{"f32", flops}}).with("sass.loop_mix.f32", 64);
  EXPECT_FALSE(single.ask("tensor-idle")) << "not known to be a product";
  for (const auto* name : {"a", "b"})
    single.buffer(name, Role::input, core::DType::f32, {4096, 4096}, 4 * n * n);
  single.buffer("y", Role::output, core::DType::f32, {4096, 4096}, 4 * n * n);
  const auto split = single.ask("tensor-idle");
  ASSERT_TRUE(split);
  EXPECT_THAT(split->recommendation, HasSubstr("split into two parts"));
}

TEST(OlderTensorPath, IsForHopperWithABusyTensorPipe) {
  auto example = waiting()
                     .takes(1e-3, 1e8, {{"bf16", 3e11}})
                     .with(tag::sass_hmma, 32)
                     .with("kernel.pipe.tensor", 0.55);
  const auto advice = example.ask("older-tensor-path");
  ASSERT_TRUE(advice);
  EXPECT_GT(advice->gain.low, 15);
  EXPECT_FALSE(example.with(tag::sass_hgmma, 8).ask("older-tensor-path"));
  EXPECT_FALSE(waiting()
                   .with(tag::sass_hmma, 32)
                   .with("kernel.pipe.tensor", 0.55)
                   .arch("sm_80")
                   .ask("older-tensor-path"));
}

TEST(Divergence, CountsTheLanesThatAreOff) {
  auto example = waiting().with(tag::active_threads, 16).with(tag::issue_fraction, 0.6);
  const auto advice = example.ask("divergence");
  ASSERT_TRUE(advice);
  EXPECT_NEAR(advice->gain.low, 30, 0.1);
  EXPECT_NEAR(advice->gain.high, 50, 0.1);
  EXPECT_FALSE(waiting().with(tag::active_threads, 30).ask("divergence"));
}

TEST(SpecialFunctions, MustBeTheBusiestUnit) {
  auto example = waiting().with("kernel.pipe.xu", 0.8).with(tag::compute_fraction, 0.8);
  EXPECT_TRUE(example.ask("special-functions"));
  EXPECT_FALSE(example.with("kernel.pipe.fma", 0.9).ask("special-functions"));
}

TEST(SpecialFunctions, AccurateRootsFillTheIssueSlotsBeforeTheirUnit) {
  auto example = waiting()
                     .with("kernel.pipe.xu", 0.35)
                     .with("kernel.pipe.fma", 0.45)
                     .with(tag::issue_fraction, 0.8);
  example.with("sass.loop_mix.special", 16)
      .with("sass.loop_mix.f32", 176)
      .with("sass.loop_mix.branch", 83);
  const auto advice = example.ask("special-functions");
  ASSERT_TRUE(advice);
  EXPECT_THAT(advice->title, testing::HasSubstr("Accurate roots"));
  EXPECT_FALSE(example.with(tag::issue_fraction, 0.5).ask("special-functions"))
      << "no warp waits for issue slots";
}

TEST(AddressOverhead, MattersWhereIssuingDoes) {
  auto example = waiting()
                     .with(tag::sass_address_per_access, 12)
                     .with("sass.loop_mix.integer", 60)
                     .with("sass.loop_mix.load_global", 5);
  example.with("sass.loop_mix.f32", 20).with(tag::issue_fraction, 0.75);
  EXPECT_TRUE(example.ask("address-overhead"));
  EXPECT_FALSE(example.with(tag::issue_fraction, 0.2).ask("address-overhead"));
}

TEST(Fp64, NamesTheLiteral) {
  auto example =
      waiting().with(tag::sass_f64, 12).with(tag::pipe_fp64, 0.5).with("sass.loop_mix.f64", 12);
  example.source(
      "extern \"C\" __global__ void work(float* y) {\n  // half: 0.5\n  float a = 2.0f;\n  y[0] = "
      "a * 0.5;\n}\n");
  const auto advice = example.ask("fp64-by-accident");
  ASSERT_TRUE(advice);
  EXPECT_THAT(advice->lines, ElementsAre(4));
  EXPECT_FALSE(waiting().ask("fp64-by-accident"));
  example.buffer("x", Role::input, core::DType::f64, {8}, 64);
  EXPECT_FALSE(example.ask("fp64-by-accident")) << "the task is in doubles";
}

TEST(PowerLimited, GainsNothingWhereMemoryIsTheLimit) {
  auto example = waiting()
                     .of_call(tag::clock_load, 1.5e9)
                     .of_call(tag::clock_most, 1.98e9)
                     .of_call(tag::throttled, 0.9);
  const auto advice = example.ask("power-limited");
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->gain.low, 0);
  EXPECT_NEAR(advice->gain.high, 24.2, 0.1);
  EXPECT_FALSE(example.of_call(tag::clock_load, 1.97e9).ask("power-limited"));
}

}  // namespace
}  // namespace hone::profile
