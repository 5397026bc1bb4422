// Tools that look at what warps wait for, and at how many of them there are.
#include <gmock/gmock.h>

#include "profile/tool_test_waiting.h"

namespace hone::profile {
namespace {

using core::Severity;
using testing::ElementsAre;
using testing::HasSubstr;

// ---- waiting, reason by reason: enough of it, the line, the size of the gain
struct Stall {
  const char* tool;
  const char* reason;
  double share;
};
class StallTools : public testing::TestWithParam<Stall> {};

TEST_P(StallTools, SpeakOfTheirReasonWithItsLine) {
  const auto [tool, reason, share] = GetParam();
  auto example = waiting();
  example.with(std::string(tag::stall) + reason, share);
  example.line(12, "acc += tile[k][x] * b;", {{reason, 800}})
      .line(30, "y[i] = acc;", {{"long_scoreboard", 60}, {reason, 10}});
  const auto advice = example.ask(tool);
  ASSERT_TRUE(advice);
  EXPECT_THAT(advice->lines, ElementsAre(12));
  EXPECT_THAT(advice->evidence, HasSubstr("line 12 (`acc += tile[k][x] * b;`)"));
  if (std::string_view(tool) == "wait") return;  // has a model of its own
  if (std::string_view(tool) == "fences")
    EXPECT_GT(advice->gain.high, 100 * share);  // waits for loads between the fences go as well
  else
    EXPECT_NEAR(advice->gain.high, 100 * share, 1);
  EXPECT_NEAR(advice->gain.low, 100 * share * std::max(1 - share, 0.5), 1);
}

TEST_P(StallTools, AreSilentWhereAUnitIsTheLimit) {
  const auto [tool, reason, share] = GetParam();
  auto example = waiting();
  example.with(std::string(tag::stall) + reason, share).with(tag::memory_fraction, 0.95);
  EXPECT_FALSE(example.ask(tool));
}

TEST_P(StallTools, AreSilentWhereTheSchedulersAreBusyAllTheSame) {
  const auto [tool, reason, share] = GetParam();
  auto example = waiting();
  example.with(std::string(tag::stall) + reason, share).with(tag::issue_fraction, 0.93);
  EXPECT_FALSE(example.ask(tool));
}

TEST_P(StallTools, AreLeftOutWithTheReasonWhereCountersWereRefused) {
  const auto [tool, reason, share] = GetParam();
  auto example = waiting();
  example.without(std::string(tag::stall) + reason, "ncu was not allowed to read counters");
  EXPECT_EQ(example.left_out(tool),
            std::string("needs kernel.stall.") + reason + ": ncu was not allowed to read counters");
}

INSTANTIATE_TEST_SUITE_P(Reasons, StallTools,
                         testing::Values(Stall{"long-scoreboard", "long_scoreboard", 0.45},
                                         Stall{"short-scoreboard", "short_scoreboard", 0.35},
                                         Stall{"barrier", "barrier", 0.3},
                                         Stall{"mio-throttle", "mio_throttle", 0.3},
                                         Stall{"lg-throttle", "lg_throttle", 0.3},
                                         Stall{"wait", "wait", 0.45},
                                         Stall{"instruction-fetch", "no_instruction", 0.25},
                                         Stall{"fences", "membar", 0.2}),
                         [](const auto& one) {
                           std::string name = one.param.tool;
                           std::erase(name, '-');
                           return name;
                         });

TEST(LongScoreboard, SpeaksOfCopiesWhereTheKernelIsFedByThem) {
  auto example = waiting()
                     .with("kernel.stall.long_scoreboard", 0.5)
                     .with(tag::sass_hgmma, 8)
                     .with(tag::sass_bulk_tensor, 2);
  const auto advice = example.ask("long-scoreboard");
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->title, "Consumers wait for the copies");
  EXPECT_EQ(advice->gain.low, 0) << "they may be late by throughput";
}

TEST(Barrier, IsNotBlamedForWaitsThatLoadsPassOn) {
  auto example =
      waiting().with("kernel.stall.barrier", 0.25).with("kernel.stall.long_scoreboard", 0.35);
  EXPECT_FALSE(example.ask("barrier"));
  auto consumers = example;
  EXPECT_TRUE(consumers.with(tag::sass_hgmma, 8).ask("barrier"))
      << "producers wait for loads, consumers for products";
  const auto tree = example.with(tag::sass_bar, 12).ask("barrier");
  ASSERT_TRUE(tree) << "a tree of barriers is a defect, whatever loads cost beside it";
  EXPECT_NEAR(tree->gain.high, 70.4, 1) << "the waits for loads between barriers go with them";
  // The unit that serves barriers is part of the SM's throughput, and no pipe.
  const auto advice =
      waiting().with("kernel.stall.barrier", 0.4).with(tag::compute_fraction, 0.93).ask("barrier");
  ASSERT_TRUE(advice);
  EXPECT_NEAR(advice->gain.high, 40, 1);
}

TEST(MioThrottle, SpeaksThoughThePipeIsFullOfWhatIsTooMuch) {
  auto example = waiting().with("kernel.stall.mio_throttle", 0.5).with(tag::memory_fraction, 0.97);
  EXPECT_FALSE(example.ask("mio-throttle"));
  example.with("kernel.pipe.lsu", 0.96)
      .with("sass.loop_mix.load_shared", 32)
      .with("sass.loop_mix.f32", 16);
  const auto advice = example.ask("mio-throttle");
  ASSERT_TRUE(advice);
  EXPECT_GT(advice->gain.high, 60);
  EXPECT_FALSE(example.with(tag::l2_fraction, 0.95).ask("mio-throttle"));
}

TEST(LgThrottle, SpeaksThoughL1IsFullOfWhatIsTooMuch) {
  auto example = waiting().with("kernel.stall.lg_throttle", 0.5).with(tag::memory_fraction, 0.92);
  EXPECT_FALSE(example.ask("lg-throttle"))
      << "some unit of the memory is full, and it is not known which";
  example.with(tag::l1_fraction, 0.92)
      .with(tag::l1_hit, 0.98)
      .with(tag::load_requests, 4e6)
      .with(tag::instructions, 1e7);
  const auto advice = example.ask("lg-throttle");
  ASSERT_TRUE(advice);
  EXPECT_GT(advice->gain.high, 60) << "what L1 answers need not be asked for again";
  EXPECT_FALSE(example.with(tag::l2_fraction, 0.95).ask("lg-throttle"));
}

TEST(Barrier, PromisesNothingWhereRegistersLeaveNoRoomForASecondGroup) {
  auto example = waiting()
                     .with("kernel.stall.barrier", 0.3)
                     .with(tag::sass_hgmma, 8)
                     .with(tag::registers, 256);
  const auto advice = example.ask("barrier");
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->gain.low, 0);
  EXPECT_THAT(advice->recommendation, HasSubstr("C7512"));
  EXPECT_GT(example.with(tag::registers, 128).ask("barrier")->gain.low, 10);
}

TEST(MathPipe, NamesThePipeThatIsFull) {
  auto example = waiting()
                     .with("kernel.stall.math_pipe_throttle", 0.4)
                     .with("kernel.pipe.alu", 0.85)
                     .with(tag::compute_fraction, 0.85);
  const auto advice = example.ask("math-pipe");
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->title, "The alu pipe is full");
  EXPECT_GE(advice->gain.high, 60)
      << "the task has bytes to move and no arithmetic: the pipe is full of overhead";
  auto arithmetic = example;
  EXPECT_LE(arithmetic.takes(1e-3, 1e6, {{"f32", 20e9}}).ask("math-pipe")->gain.high, 43)
      << "half of what the task asks for stays";
  auto products =
      waiting().with("kernel.stall.math_pipe_throttle", 0.4).with("kernel.pipe.tensor", 0.9);
  EXPECT_FALSE(products.ask("math-pipe")) << "a full tensor pipe is what a product wants";
  EXPECT_FALSE(waiting().with("kernel.pipe.alu", 0.85).ask("math-pipe"));
}

TEST(IssueBound, CountsTheOverheadInTheLoops) {
  auto example = waiting()
                     .with("kernel.stall.not_selected", 0.4)
                     .with(tag::issue_fraction, 0.9)
                     .with(tag::compute_fraction, 0.9);
  example.with("sass.loop_mix.f32", 40)
      .with("sass.loop_mix.integer", 40)
      .with("sass.loop_mix.move", 20);
  const auto advice = example.ask("issue-bound");
  ASSERT_TRUE(advice);
  EXPECT_NEAR(advice->gain.high, 27, 0.1);
  EXPECT_NEAR(example.with(tag::sass_loops, 10).ask("issue-bound")->gain.high, 54, 0.1)
      << "short loops can be unrolled";
  EXPECT_FALSE(waiting().with("kernel.stall.not_selected", 0.4).ask("issue-bound"));
}

TEST(Wait, KnowsChainsFromIssuing) {
  auto chain = waiting().with("kernel.stall.wait", 0.33).with("kernel.stall.selected", 0.12);
  const auto advice = chain.ask("wait");
  ASSERT_TRUE(advice);
  EXPECT_GT(advice->gain.low, 15);
  EXPECT_FALSE(chain.with("kernel.stall.selected", 0.25).ask("wait"));
}

// ---- registers and occupancy
TEST(RegisterSpill, IsSilentWhereTheSpilledBytesAreHardlyTouched) {
  auto example =
      waiting().with(tag::spill_stores, 16).with(tag::spill_loads, 16).with(tag::local_loads, 2e4);
  EXPECT_FALSE(example.ask("register-spill"));
  EXPECT_FALSE(waiting().ask("register-spill"));
}

TEST(RegisterSpill, SpeaksOfLoopsWhereThereAreNoCounters) {
  Example example;
  example.takes(1e-3, 1e8)
      .with(tag::spill_stores, 200)
      .with(tag::spill_loads, 300)
      .with(tag::registers, 255);
  EXPECT_FALSE(example.ask("register-spill")) << "not in a loop";
  example.with("sass.loop_mix.load_local", 20).with("sass.loop_mix.f32", 80);
  const auto advice = example.ask("register-spill");
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->gain.low, 0);
}

TEST(LocalArray, IsToldFromASpill) {
  auto example = waiting()
                     .with(tag::stack, 512)
                     .with(tag::local_loads, 3e6)
                     .with(tag::local_stores, 5e5)
                     .with("kernel.stall.long_scoreboard", 0.6);
  const auto advice = example.ask("local-array");
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->severity, Severity::critical);
  EXPECT_FALSE(example.ask("long-scoreboard")) << "it is local memory that is read";
  EXPECT_FALSE(waiting().with(tag::stack, 512).ask("local-array"));
}

Example one_block_an_sm() {
  auto example = waiting();
  example.with(tag::occupancy_theory, 0.125)
      .with(tag::occupancy, 0.12)
      .with("kernel.limit.registers", 1)
      .with(tag::registers, 200);
  return example.with("kernel.stall.long_scoreboard", 0.6);
}

TEST(Occupancy, NamesTheResourceAndTheRemedy) {
  const auto advice = one_block_an_sm().ask("occupancy");
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->title, "Occupancy is limited by registers");
  EXPECT_THAT(advice->recommendation,
              HasSubstr("`__launch_bounds__(256, 2)` holds it to 128 registers instead of 200"));
  EXPECT_GT(advice->gain.low, 20);
  auto shared = one_block_an_sm()
                    .with("kernel.limit.registers", 4)
                    .with("kernel.limit.shared", 1)
                    .with(tag::shared_dynamic, 150000);
  EXPECT_THAT(shared.ask("occupancy")->recommendation, HasSubstr("from 146 KiB to at most"));
  EXPECT_FALSE(shared.with("kernel.limit.registers", 1).ask("occupancy"))
      << "made for one block: both would have to go";
}

TEST(Occupancy, HalfOfTheSlotsMayBeTooFew) {
  auto example = one_block_an_sm().with(tag::occupancy_theory, 0.5).with(tag::occupancy, 0.48);
  example.with("kernel.limit.registers", 4)
      .with("kernel.limit.warps", 8)
      .with("kernel.limit.shared", 32);
  const auto advice = example.ask("occupancy");
  ASSERT_TRUE(advice);
  EXPECT_NEAR(advice->gain.low, 25, 0.1);
  EXPECT_FALSE(
      example.with(tag::occupancy_theory, 0.8).with(tag::occupancy, 0.78).ask("occupancy"));
}

TEST(Gains, ARooflineThatIsBeatenIsNoFloor) {
  // Single precision by products of parts on the tensor cores takes less time than the roofline of
  // single precision.
  auto example = waiting().takes(1e-3, 1e6, {{"f32", 120e9}});
  example.with("kernel.stall.barrier", 0.5).with(tag::sass_hgmma, 12);
  const auto advice = example.ask("barrier");
  ASSERT_TRUE(advice);
  EXPECT_NEAR(advice->gain.high, 50, 1);
}

TEST(Occupancy, IsSilentWhereFewWarpsAreRight) {
  EXPECT_FALSE(one_block_an_sm().with(tag::sass_hgmma, 12).ask("occupancy"))
      << "wgmma needs no occupancy";
  EXPECT_FALSE(one_block_an_sm().with(tag::issue_fraction, 0.7).ask("occupancy"))
      << "latency is hidden";
  EXPECT_FALSE(one_block_an_sm().with(tag::memory_fraction, 0.9).ask("occupancy"))
      << "a unit is the limit";
  EXPECT_FALSE(one_block_an_sm()
                   .with("kernel.stall.long_scoreboard", 0.05)
                   .with("kernel.stall.barrier", 0.6)
                   .ask("occupancy"));
}

TEST(InFlight, IsForGridsThatAreTooSmall) {
  auto example = waiting().with(tag::occupancy, 0.06).with("kernel.stall.long_scoreboard", 0.7);
  const auto advice = example.ask("in-flight");
  ASSERT_TRUE(advice);
  EXPECT_GT(advice->gain.low, 20);
  EXPECT_FALSE(example.ask("occupancy"));
  EXPECT_FALSE(one_block_an_sm().ask("in-flight")) << "there it is registers";
}

}  // namespace
}  // namespace hone::profile
