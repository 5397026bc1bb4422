// Each tool on a kernel that has its defect and on one that has not, by the metrics that each would show.
#include <gmock/gmock.h>

#include "profile/gains.h"
#include "profile/tool_test_support.h"

namespace hone::profile {
namespace {

using core::Severity;
using testing::ElementsAre;
using testing::HasSubstr;
using Role = core::ResolvedBuffer::Role;

// A kernel that waits: nothing is busy, and no reason stands out yet.
Example waiting(double seconds = 1e-3) {
  Example example;
  example.takes(seconds, 1e8);
  for (const auto* reason :
       {"long_scoreboard", "short_scoreboard", "barrier", "membar", "mio_throttle", "lg_throttle", "math_pipe_throttle",
        "wait", "not_selected", "no_instruction", "branch_resolving", "imc_miss", "drain"})
    example.with(std::string(tag::stall) + reason, 0.04);
  for (const auto* pipe : {"fma", "alu", "xu", "tensor", "fp64", "lsu"})
    example.with(std::string(tag::pipe) + pipe, 0.1);
  for (const auto* limit : {"registers", "shared", "warps", "blocks", "barriers"})
    example.with(std::string(tag::limit) + limit, 8);
  const std::pair<std::string_view, double> rest[] = {{tag::compute_fraction, 0.2},
                                                      {tag::memory_fraction, 0.3},
                                                      {tag::dram_fraction, 0.1},
                                                      {tag::dram_read, 7e7},
                                                      {tag::dram_written, 3e7},
                                                      {tag::kernel_seconds, seconds},
                                                      {tag::kernel_cycles, seconds * 1.8e9},
                                                      {tag::l2_fraction, 0.2},
                                                      {tag::l1_fraction, 0.3},
                                                      {tag::issue_fraction, 0.2},
                                                      {tag::occupancy, 0.9},
                                                      {tag::occupancy_theory, 1},
                                                      {tag::waves, 1},
                                                      {tag::load_requests, 1e6},
                                                      {tag::load_sectors, 4},
                                                      {tag::load_sectors_ideal, 4},
                                                      {tag::store_requests, 1e5},
                                                      {tag::store_sectors, 4},
                                                      {tag::store_sectors_ideal, 4},
                                                      {tag::local_loads, 0},
                                                      {tag::local_stores, 0},
                                                      {tag::shared_wavefronts, 1e6},
                                                      {tag::shared_excess, 0},
                                                      {tag::active_threads, 32},
                                                      {tag::atomics, 0},
                                                      {tag::instructions, 1e7},
                                                      {tag::sm_active_mean, 1.7e6},
                                                      {tag::sm_active_max, 1.75e6},
                                                      {tag::spill_stores, 0},
                                                      {tag::spill_loads, 0},
                                                      {tag::stack, 0},
                                                      {tag::registers, 64},
                                                      {tag::sass_instructions, 400},
                                                      {tag::sass_hmma, 0},
                                                      {tag::sass_hgmma, 0},
                                                      {tag::sass_address_per_access, 1.5},
                                                      {tag::sass_f64, 0},
                                                      {tag::stall_cycles, 20}};
  for (const auto& [tag, value] : rest) example.with(tag, value);
  return example;
}

TEST(Tools, AKernelWithoutADefectGetsNoAdvice) {
  const auto stage = run_tools(waiting().facts());
  for (const auto& advice : stage.advice) ADD_FAILURE() << advice.tool << ": " << advice.evidence;
  for (const auto& left : stage.left_out)
    EXPECT_TRUE(left.tool == "launch-chain" || left.tool == "power-limited") << left.tool << ": " << left.why;
}

TEST(Tools, AreNamedOnceAndSayWhenTheySpeak) {
  std::set<std::string_view> names;
  for (const auto& tool : tools()) {
    EXPECT_TRUE(names.insert(tool.name).second) << tool.name;
    EXPECT_FALSE(tool.summary.empty() || tool.trigger.empty()) << tool.name;
    EXPECT_TRUE(tool.summary.ends_with('.')) << tool.name;
  }
  EXPECT_GE(names.size(), 24u);
}

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
                                         Stall{"barrier", "barrier", 0.3}, Stall{"mio-throttle", "mio_throttle", 0.3},
                                         Stall{"lg-throttle", "lg_throttle", 0.3}, Stall{"wait", "wait", 0.45},
                                         Stall{"instruction-fetch", "no_instruction", 0.25},
                                         Stall{"fences", "membar", 0.2}),
                         [](const auto& one) {
                           std::string name = one.param.tool;
                           std::erase(name, '-');
                           return name;
                         });

TEST(LongScoreboard, SpeaksOfCopiesWhereTheKernelIsFedByThem) {
  auto example =
      waiting().with("kernel.stall.long_scoreboard", 0.5).with(tag::sass_hgmma, 8).with(tag::sass_bulk_tensor, 2);
  const auto advice = example.ask("long-scoreboard");
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->title, "Consumers wait for the copies");
}

TEST(Barrier, IsNotBlamedForWaitsThatLoadsPassOn) {
  auto example = waiting().with("kernel.stall.barrier", 0.25).with("kernel.stall.long_scoreboard", 0.35);
  EXPECT_FALSE(example.ask("barrier"));
  // The unit that serves barriers is part of the SM's throughput, and no pipe.
  const auto advice = waiting().with("kernel.stall.barrier", 0.4).with(tag::compute_fraction, 0.93).ask("barrier");
  ASSERT_TRUE(advice);
  EXPECT_NEAR(advice->gain.high, 40, 1);
}

TEST(MioThrottle, SpeaksThoughThePipeIsFullOfWhatIsTooMuch) {
  auto example = waiting().with("kernel.stall.mio_throttle", 0.5).with(tag::memory_fraction, 0.97);
  EXPECT_FALSE(example.ask("mio-throttle"));
  example.with("kernel.pipe.lsu", 0.96).with("sass.loop_mix.load_shared", 32).with("sass.loop_mix.f32", 16);
  const auto advice = example.ask("mio-throttle");
  ASSERT_TRUE(advice);
  EXPECT_GT(advice->gain.high, 60);
  EXPECT_FALSE(example.with(tag::l2_fraction, 0.95).ask("mio-throttle"));
}

TEST(MathPipe, NamesThePipeThatIsFull) {
  auto example = waiting()
                     .with("kernel.stall.math_pipe_throttle", 0.4)
                     .with("kernel.pipe.alu", 0.85)
                     .with(tag::compute_fraction, 0.85);
  const auto advice = example.ask("math-pipe");
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->title, "The alu pipe is full");
  EXPECT_GE(advice->gain.high, 60) << "the task has bytes to move and no arithmetic: the pipe is full of overhead";
  auto arithmetic = example;
  EXPECT_LE(arithmetic.takes(1e-3, 1e6, {{"f32", 20e9}}).ask("math-pipe")->gain.high, 43)
      << "half of what the task asks for stays";
  auto products = waiting().with("kernel.stall.math_pipe_throttle", 0.4).with("kernel.pipe.tensor", 0.9);
  EXPECT_FALSE(products.ask("math-pipe")) << "a full tensor pipe is what a product wants";
  EXPECT_FALSE(waiting().with("kernel.pipe.alu", 0.85).ask("math-pipe"));
}

TEST(IssueBound, CountsTheOverheadInTheLoops) {
  auto example =
      waiting().with("kernel.stall.not_selected", 0.4).with(tag::issue_fraction, 0.9).with(tag::compute_fraction, 0.9);
  example.with("sass.loop_mix.f32", 40).with("sass.loop_mix.integer", 40).with("sass.loop_mix.move", 20);
  const auto advice = example.ask("issue-bound");
  ASSERT_TRUE(advice);
  EXPECT_NEAR(advice->gain.high, 27, 0.1);
  EXPECT_FALSE(waiting().with("kernel.stall.not_selected", 0.4).ask("issue-bound"));
}

// ---- registers and occupancy
TEST(RegisterSpill, IsSilentWhereTheSpilledBytesAreHardlyTouched) {
  auto example = waiting().with(tag::spill_stores, 16).with(tag::spill_loads, 16).with(tag::local_loads, 2e4);
  EXPECT_FALSE(example.ask("register-spill"));
  EXPECT_FALSE(waiting().ask("register-spill"));
}

TEST(RegisterSpill, SpeaksOfLoopsWhereThereAreNoCounters) {
  Example example;
  example.takes(1e-3, 1e8).with(tag::spill_stores, 200).with(tag::spill_loads, 300).with(tag::registers, 255);
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
}

TEST(Occupancy, HalfOfTheSlotsMayBeTooFew) {
  auto example = one_block_an_sm().with(tag::occupancy_theory, 0.5).with(tag::occupancy, 0.48);
  example.with("kernel.limit.registers", 4).with("kernel.limit.warps", 8).with("kernel.limit.shared", 32);
  const auto advice = example.ask("occupancy");
  ASSERT_TRUE(advice);
  EXPECT_NEAR(advice->gain.low, 25, 0.1);
  EXPECT_FALSE(example.with(tag::occupancy_theory, 0.8).with(tag::occupancy, 0.78).ask("occupancy"));
}

TEST(Gains, ARooflineThatIsBeatenIsNoFloor) {
  // Single precision by products of parts on the tensor cores takes less time than the roofline of single precision.
  auto example = waiting().takes(1e-3, 1e6, {{"f32", 120e9}});
  example.with("kernel.stall.barrier", 0.5).with(tag::sass_hgmma, 12);
  const auto advice = example.ask("barrier");
  ASSERT_TRUE(advice);
  EXPECT_NEAR(advice->gain.high, 50, 1);
}

TEST(Occupancy, IsSilentWhereFewWarpsAreRight) {
  EXPECT_FALSE(one_block_an_sm().with(tag::sass_hgmma, 12).ask("occupancy")) << "wgmma needs no occupancy";
  EXPECT_FALSE(one_block_an_sm().with(tag::issue_fraction, 0.7).ask("occupancy")) << "latency is hidden";
  EXPECT_FALSE(one_block_an_sm().with(tag::memory_fraction, 0.9).ask("occupancy")) << "a unit is the limit";
  EXPECT_FALSE(
      one_block_an_sm().with("kernel.stall.long_scoreboard", 0.05).with("kernel.stall.barrier", 0.6).ask("occupancy"));
}

TEST(InFlight, IsForGridsThatAreTooSmall) {
  auto example = waiting().with(tag::occupancy, 0.06).with("kernel.stall.long_scoreboard", 0.7);
  const auto advice = example.ask("in-flight");
  ASSERT_TRUE(advice);
  EXPECT_GT(advice->gain.low, 20);
  EXPECT_FALSE(example.ask("occupancy"));
  EXPECT_FALSE(one_block_an_sm().ask("in-flight")) << "there it is registers";
}

// ---- the grid
TEST(TailEffect, CountsTheIdlePartOfTheLastWave) {
  auto example = waiting().with(tag::waves, 1.05).with(tag::sm_active_mean, 1e6).with(tag::sm_active_max, 1.7e6);
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

// ---- memory
TEST(Uncoalesced, DoesNotMindOneAddressForAWholeWarp) {
  auto broadcast =
      waiting().with(tag::load_sectors, 1).with(tag::load_sectors_ideal, 0.125).with(tag::l1_fraction, 0.9);
  EXPECT_FALSE(broadcast.ask("uncoalesced"));
  auto stores = waiting()
                    .with(tag::store_requests, 1e6)
                    .with(tag::store_sectors, 32)
                    .with(tag::l2_fraction, 0.9)
                    .with(tag::memory_fraction, 0.9);
  const auto advice = stores.ask("uncoalesced");
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->title, "Uncoalesced stores of global memory");
}

TEST(Uncoalesced, BelievesAddressesMoreThanCountersOfAsynchronousCopies) {
  auto copies = waiting()
                    .with(tag::load_requests, 1e6)
                    .with(tag::load_sectors, 16)
                    .with(tag::load_sectors_ideal, 1)
                    .with(tag::l1_fraction, 0.7)
                    .with(tag::memory_fraction, 0.7);
  EXPECT_TRUE(copies.ask("uncoalesced"));
  EXPECT_FALSE(copies.with(tag::sass_ldgsts, 4).ask("uncoalesced"));
  EXPECT_TRUE(copies.with(tag::line_sectors, 8e6).with(tag::line_sectors_ideal, 1e6).ask("uncoalesced"));
}

TEST(Wait, KnowsChainsFromIssuing) {
  auto chain = waiting().with("kernel.stall.wait", 0.33).with("kernel.stall.selected", 0.12);
  const auto advice = chain.ask("wait");
  ASSERT_TRUE(advice);
  EXPECT_GT(advice->gain.low, 15);
  EXPECT_FALSE(chain.with("kernel.stall.selected", 0.2).ask("wait"));
}

TEST(RegisterTiling, SeesALoopThatIsUnrolledIntoTheOneAroundIt) {
  auto tiled = waiting()
                   .with(tag::l1_fraction, 0.38)
                   .with("kernel.stall.short_scoreboard", 0.12)
                   .with("kernel.stall.mio_throttle", 0.16)
                   .with("kernel.stall.barrier", 0.36)
                   .with("sass.loop_mix.load_global", 8)
                   .with("sass.mix.f32", 32)
                   .with("sass.mix.load_shared", 16)
                   .with("sass.load_shared.64", 16);
  const auto advice = tiled.ask("register-tiling");
  ASSERT_TRUE(advice);
  EXPECT_GT(advice->gain.high, 40);
  EXPECT_FALSE(tiled.with("sass.mix.f32", 512).ask("register-tiling"));
}

TEST(Severities, FollowFromTheGain) {
  EXPECT_EQ(severity_of({20, 30}), Severity::critical);
  EXPECT_EQ(severity_of({1, 90}), Severity::major);
  EXPECT_EQ(severity_of({0, 8}), Severity::minor);
  EXPECT_FALSE(severity_of({0, 2}));
}

TEST(NarrowAccess, IsSilentWithWideLoadsAndAtTheCeiling) {
  auto narrow = waiting()
                    .with("sass.load_global.32", 4)
                    .with("sass.store_global.32", 2)
                    .with("kernel.stall.long_scoreboard", 0.6);
  const auto advice = narrow.ask("narrow-access");
  ASSERT_TRUE(advice);
  EXPECT_THAT(advice->recommendation, HasSubstr("4 neighbouring elements"));
  auto wide = waiting()
                  .with("sass.load_global.128", 4)
                  .with("sass.store_global.128", 2)
                  .with("kernel.stall.long_scoreboard", 0.6);
  EXPECT_FALSE(wide.ask("narrow-access"));
  auto narrow_tail = narrow;
  narrow_tail.with(tag::load_requests, 1e6).with(tag::load_sectors, 16).with(tag::load_sectors_ideal, 16);
  EXPECT_FALSE(narrow_tail.ask("narrow-access")) << "what is executed moves 128 bits";
  EXPECT_FALSE(narrow.with(tag::dram_read, 4.1e9).ask("narrow-access"));
}

TEST(DramSaturated, IsANoteWhereTheBytesAreTheTasksOwn) {
  auto example = waiting().takes(1e-3, 3.9e9).with(tag::dram_read, 3.9e9);
  const auto advice = example.ask("dram-saturated");
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->severity, Severity::note);
  EXPECT_LT(advice->gain.high, 10);
  auto twice = waiting().takes(1e-3, 1.9e9).with(tag::dram_read, 3.9e9);
  EXPECT_EQ(twice.ask("dram-saturated")->severity, Severity::critical);
  auto four_times = waiting().takes(4e-3, 3.9e9).with(tag::dram_read, 3.9e9).with(tag::repeats, 4);
  EXPECT_GT(four_times.ask("dram-saturated")->gain.high, 60) << "what repetitions move counts together";
  EXPECT_FALSE(waiting().ask("dram-saturated"));
}

TEST(ExcessBytes, ComparesWithTheTasksFormula) {
  auto example = waiting().takes(1e-3, 1e9).with(tag::dram_read, 3e9);
  const auto advice = example.ask("excess-bytes");
  ASSERT_TRUE(advice);
  EXPECT_LT(advice->gain.low, 100 * 2.03e9 / 4.23e12 / 1e-3);
  EXPECT_NEAR(advice->gain.high, 100 * (3.03e9 / 4.23e12 / 1e-3) * (1 - 0.95 / 3.03), 0.5);
  EXPECT_FALSE(waiting().takes(1e-3, 2.9e9).with(tag::dram_read, 3e9).ask("excess-bytes"));
  EXPECT_THAT(waiting().without(tag::dram_read, "no rights").left_out("excess-bytes"), HasSubstr("no rights"));
}

TEST(BankConflicts, MatterByTheCyclesTheyTake) {
  auto example = waiting()
                     .with(tag::shared_wavefronts, 2e8)
                     .with(tag::shared_excess, 1.5e8)
                     .with("kernel.stall.short_scoreboard", 0.5);
  EXPECT_TRUE(example.ask("bank-conflicts"));
  auto rare = waiting().with(tag::shared_wavefronts, 2e5).with(tag::shared_excess, 1.5e5);
  EXPECT_FALSE(rare.ask("bank-conflicts"));
}

TEST(NoTiling, NeedsReuseAndNoSharedMemory) {
  auto example = waiting()
                     .takes(1e-3, 1e7)
                     .with(tag::load_requests, 1e7)
                     .with(tag::l1_fraction, 0.9)
                     .with(tag::memory_fraction, 0.9);
  const auto advice = example.ask("no-tiling");
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->severity, Severity::critical);
  EXPECT_FALSE(example.with("sass.mix.load_shared", 16).ask("no-tiling"));
}

TEST(RegisterTiling, KnowsTheBalanceOfTheDevice) {
  auto example = waiting().with(tag::l1_fraction, 0.85).with(tag::memory_fraction, 0.85);
  example.with("sass.loop_mix.f32", 16).with("sass.loop_mix.load_shared", 20).with("sass.load_shared.32", 20);
  EXPECT_TRUE(example.ask("register-tiling"));
  auto tiled = waiting().with(tag::l1_fraction, 0.85).with(tag::memory_fraction, 0.85);
  tiled.with("sass.loop_mix.f32", 64).with("sass.loop_mix.load_shared", 4).with("sass.load_shared.128", 4);
  EXPECT_FALSE(tiled.ask("register-tiling"));
}

TEST(AsyncCopy, IsForTilesThatAreLoadedWhenNeeded) {
  auto example = waiting()
                     .with("kernel.stall.long_scoreboard", 0.35)
                     .with("sass.loop_mix.load_global", 4)
                     .with("sass.loop_mix.store_shared", 4);
  EXPECT_TRUE(example.ask("async-copy"));
  EXPECT_FALSE(example.with(tag::sass_ldgsts, 4).ask("async-copy"));
}

TEST(Atomics, AreFineWhereTheyAreFew) {
  auto example =
      waiting().with(tag::atomics, 1e6).with("kernel.stall.lg_throttle", 0.4).with("kernel.stall.long_scoreboard", 0.3);
  EXPECT_TRUE(example.ask("atomics"));
  EXPECT_FALSE(example.with(tag::atomics, 400).ask("atomics"));
  EXPECT_FALSE(example.with(tag::atomics, 1e6).with(tag::l2_fraction, 0.8).ask("atomics")) << "spread over a full L2";
}

// ---- arithmetic
TEST(TensorIdle, LooksAtPrecisionAndShapes) {
  auto example = waiting().takes(30e-3, 1e8, {{"bf16", 1.1e12}}).with("sass.loop_mix.f32", 64);
  const auto advice = example.ask("tensor-idle");
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->severity, Severity::critical);
  EXPECT_FALSE(example.with(tag::sass_hmma, 8).ask("tensor-idle"));
  const double n = 4096, flops = 2 * n * n * n;
  auto single = waiting().takes(4e-3, 12 * n * n, {{"f32", flops}}).with("sass.loop_mix.f32", 64);
  EXPECT_FALSE(single.ask("tensor-idle")) << "not known to be a product";
  for (const auto* name : {"a", "b"}) single.buffer(name, Role::input, core::DType::f32, {4096, 4096}, 4 * n * n);
  single.buffer("y", Role::output, core::DType::f32, {4096, 4096}, 4 * n * n);
  const auto split = single.ask("tensor-idle");
  ASSERT_TRUE(split);
  EXPECT_THAT(split->recommendation, HasSubstr("split into two parts"));
}

TEST(OlderTensorPath, IsForHopperWithABusyTensorPipe) {
  auto example = waiting().takes(1e-3, 1e8, {{"bf16", 3e11}}).with(tag::sass_hmma, 32).with("kernel.pipe.tensor", 0.55);
  const auto advice = example.ask("older-tensor-path");
  ASSERT_TRUE(advice);
  EXPECT_GT(advice->gain.low, 15);
  EXPECT_FALSE(example.with(tag::sass_hgmma, 8).ask("older-tensor-path"));
  EXPECT_FALSE(
      waiting().with(tag::sass_hmma, 32).with("kernel.pipe.tensor", 0.55).arch("sm_80").ask("older-tensor-path"));
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
  auto example = waiting().with(tag::sass_f64, 12).with(tag::pipe_fp64, 0.5).with("sass.loop_mix.f64", 12);
  example.source(
      "extern \"C\" __global__ void work(float* y) {\n  // half: 0.5\n  float a = 2.0f;\n  y[0] = a * 0.5;\n}\n");
  const auto advice = example.ask("fp64-by-accident");
  ASSERT_TRUE(advice);
  EXPECT_THAT(advice->lines, ElementsAre(4));
  EXPECT_FALSE(waiting().ask("fp64-by-accident"));
  example.buffer("x", Role::input, core::DType::f64, {8}, 64);
  EXPECT_FALSE(example.ask("fp64-by-accident")) << "the task is in doubles";
}

TEST(PowerLimited, GainsNothingWhereMemoryIsTheLimit) {
  auto example =
      waiting().of_call(tag::clock_load, 1.5e9).of_call(tag::clock_most, 1.98e9).of_call(tag::throttled, 0.9);
  const auto advice = example.ask("power-limited");
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->gain.low, 0);
  EXPECT_NEAR(advice->gain.high, 24.2, 0.1);
  EXPECT_FALSE(example.of_call(tag::clock_load, 1.97e9).ask("power-limited"));
}

// ---- launches
TEST(LaunchChain, NamesTheKernelsAndTheGaps) {
  auto example = waiting(30e-6).takes(30e-6, 1e6);
  example.launch("second", {132, 1, 1}, {256, 1, 1});
  example.of_call(tag::system_span, 30e-6).of_call(tag::system_gaps, 12e-6).of_call(tag::system_kernels, 18e-6);
  EXPECT_EQ(example.facts().diagnosis.bound, core::Bound::launch);
  const auto advice = example.ask("launch-chain");
  ASSERT_TRUE(advice);
  EXPECT_THAT(advice->recommendation, HasSubstr("`work`, `second`"));
  EXPECT_NEAR(advice->gain.high, 45, 0.1);  // 12 µs of gaps and 1.5 µs for a start, of 30
  EXPECT_FALSE(example.of_call(tag::system_gaps, 1e-6).ask("launch-chain"));
}

TEST(Intermediates, CountScratchThatIsWrittenAndRead) {
  auto example = waiting().takes(1e-3, 1e9);
  example.launch("second", {132, 1, 1}, {256, 1, 1}).buffer("partial", Role::scratch, core::DType::f32, {1}, 4e8);
  const auto advice = example.ask("intermediates");
  ASSERT_TRUE(advice);
  EXPECT_NEAR(advice->gain.high, 100 * (8e8 / 4.23e12 / 1e-3 + 1.5e-3), 0.1);  // and a start of 1.5 µs
  auto all_bytes = waiting().takes(1e-3, 3.4e9);
  all_bytes.launch("second", {132, 1, 1}, {256, 1, 1}).buffer("partial", Role::scratch, core::DType::f32, {1}, 3e8);
  EXPECT_NEAR(all_bytes.ask("intermediates")->gain.high, 100 * (6e8 / 4e9 + 1.5e-3), 0.1);
  auto small = waiting().takes(1e-3, 1e9);
  small.launch("second", {1, 1, 1}, {256, 1, 1}).buffer("partial", Role::scratch, core::DType::f32, {1}, 4e6);
  EXPECT_FALSE(small.ask("intermediates"));
}

// ---- a CPU
Example on_a_cpu(double seconds) {
  Example example("work", {256, 1, 1}, {64, 1, 1});
  example.on_a_cpu().takes(seconds, 1e8, {{"f32", 1e10}});
  example.with(tag::cpu_vector_bits, 512)
      .with(tag::cpu_vector_code, 0.95)
      .with(tag::cpu_vector_width, 512)
      .with(tag::cpu_gathers, 0)
      .with(tag::cpu_loop_bits, 512)
      .with(tag::cpu_loop_loads, 0.6)
      .with(tag::cpu_loop_cycles, 0.6)
      .with(tag::cpu_loop_chain, 1)
      .with(tag::cpu_loop_gathers, 0)
      .with(tag::cpu_loop_math, 0);
  return example.with(tag::cpu_local_bytes, 0).with(tag::cpu_barriers, 0).with(tag::cpu_units, 16);
}

TEST(CpuTools, AreSilentOnAKernelThatIsRight) {
  const auto stage = run_tools(on_a_cpu(50e-3).facts());
  EXPECT_TRUE(stage.left_out.empty());
  for (const auto& advice : stage.advice) ADD_FAILURE() << advice.tool << ": " << advice.evidence;
}

TEST(CpuTools, FindEachDefect) {
  const auto scalar = on_a_cpu(200e-3).with(tag::cpu_loop_bits, 32).ask("cpu-no-vectors");
  ASSERT_TRUE(scalar);
  EXPECT_EQ(scalar->severity, Severity::critical);
  EXPECT_THAT(scalar->recommendation, HasSubstr("float16"));
  const auto narrow = on_a_cpu(200e-3).with(tag::cpu_loop_bits, 128).ask("cpu-no-vectors");
  ASSERT_TRUE(narrow);
  EXPECT_EQ(narrow->title, "Vectors are narrower than the machine's");
  EXPECT_DOUBLE_EQ(narrow->gain.high, 75);
  EXPECT_FALSE(on_a_cpu(200e-3).with(tag::cpu_loop_bits, 256).ask("cpu-no-vectors"));
  EXPECT_TRUE(on_a_cpu(50e-3).with(tag::cpu_loop_gathers, 12).ask("cpu-gathers"));
  EXPECT_TRUE(on_a_cpu(50e-3).with(tag::cpu_loop_math, 0.5).ask("cpu-math-calls"));
  EXPECT_TRUE(on_a_cpu(50e-3).with(tag::cpu_local_bytes, 4096).with(tag::cpu_barriers, 2).ask("cpu-local-memory"));
  Example few("work", {3, 1, 1}, {64, 1, 1});
  few.on_a_cpu().takes(50e-3, 1e8).with(tag::cpu_units, 16);
  EXPECT_EQ(few.ask("cpu-work-groups")->title, "Fewer work-groups than cores");
  Example tiny("work", {1 << 20, 1, 1}, {1, 1, 1});
  tiny.on_a_cpu().takes(200e-3, 1e8).with(tag::cpu_units, 16);
  EXPECT_EQ(tiny.ask("cpu-work-groups")->title, "Work-groups are too small");
}

TEST(CpuTools, LoadsOfSingleSumsAreForRegistersAndChainsWithoutLoadsForSums) {
  const auto product =
      on_a_cpu(200e-3).with(tag::cpu_loop_loads, 2).with(tag::cpu_loop_cycles, 4).with(tag::cpu_loop_chain, 2.7);
  const auto reuse = product.ask("cpu-register-reuse");
  ASSERT_TRUE(reuse);
  EXPECT_DOUBLE_EQ(reuse->gain.high, 87.5);
  EXPECT_FALSE(product.ask("cpu-chain"));
  auto sum = on_a_cpu(200e-3).with(tag::cpu_loop_chain, 4);
  EXPECT_FALSE(sum.ask("cpu-register-reuse"));
  ASSERT_TRUE(sum.ask("cpu-chain"));
  EXPECT_DOUBLE_EQ(sum.ask("cpu-chain")->gain.high, 75);
}

TEST(CpuTools, AreSilentNearTheRoofline) {
  auto fast = on_a_cpu(12e-3)
                  .with(tag::cpu_loop_bits, 32)
                  .with(tag::cpu_loop_loads, 3)
                  .with(tag::cpu_loop_chain, 4)
                  .with(tag::cpu_loop_math, 0.9)
                  .with(tag::cpu_loop_gathers, 3)
                  .with(tag::cpu_local_bytes, 64)
                  .with(tag::cpu_barriers, 1);
  for (const auto* tool :
       {"cpu-no-vectors", "cpu-gathers", "cpu-local-memory", "cpu-register-reuse", "cpu-chain", "cpu-math-calls"})
    EXPECT_FALSE(fast.ask(tool)) << tool;
}

}  // namespace
}  // namespace hone::profile
