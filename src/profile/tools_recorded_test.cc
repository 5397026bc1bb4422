// The tools on kernels that ran on an H200 (counters as recorded; counts of SASS and spilled bytes
// are filled in): each defect is named by its tool, with the right size, and no other tool speaks.
#include <gmock/gmock.h>

#include "profile/tool_test_support.h"

namespace hone::profile {
namespace {

using core::Severity;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;

std::vector<std::string> speaking_tools(const Example& example) {
  auto stage = run_tools(example.facts());
  order(stage.advice, {});
  std::vector<std::string> names;
  for (const auto& advice : stage.advice) names.push_back(advice.tool);
  return names;
}

// y = 2 x + y on 2^26 floats: 32-bit accesses, 85 % of the memory's ceiling.
Example saxpy() {
  Example example("saxpy", {1056, 1, 1}, {256, 1, 1});
  example.recorded("saxpy").takes(218e-6, 3.0 * 4 * (1 << 26), {{"f32", 2.0 * (1 << 26)}});
  example.with(tag::sass_instructions, 60)
      .with("sass.load_global.32", 8)
      .with("sass.store_global.32", 4);
  return example;
}

TEST(RecordedKernels, SaxpyIsBoundByMemoryAndNarrow) {
  const auto facts = saxpy().facts();
  EXPECT_EQ(facts.diagnosis.bound, core::Bound::memory);
  EXPECT_EQ(facts.diagnosis.disagreement, "");
  const auto advice = saxpy().ask("narrow-access");
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->severity, Severity::minor);
  EXPECT_LT(advice->gain.high, 16);
  EXPECT_FALSE(saxpy().ask("uncoalesced"));
  EXPECT_FALSE(saxpy().ask("occupancy"));
  EXPECT_FALSE(saxpy().ask("excess-bytes"));
}

// Each thread sums 64 neighbours: warps touch 32 sectors a load.
TEST(RecordedKernels, StridedIsUncoalescedAndNothingElse) {
  Example example("strided", {4096, 1, 1}, {256, 1, 1});
  example.recorded("strided").takes(268e-6, 4.0 * (1 << 26) + 4.0 * (1 << 20),
                                    {{"f32", 1.0 * (1 << 26)}});
  example.with(tag::sass_instructions, 90)
      .with("sass.load_global.32", 64)
      .with("sass.store_global.32", 1);
  example.line(13, "s += x[(long)i * 64 + j];", {{"lg_throttle", 900}, {"long_scoreboard", 400}});
  const auto advice = example.ask("uncoalesced");
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->severity, Severity::critical);
  EXPECT_THAT(advice->lines, ElementsAre(13));
  EXPECT_THAT(advice->recommendation, HasSubstr("line 13"));
  EXPECT_GT(advice->gain.low, 50);  // 268 µs against 64 µs at the ceiling
  EXPECT_LT(advice->gain.high, 77);
  EXPECT_FALSE(example.ask("lg-throttle")) << "L1 is full: fewer instructions alone gain nothing";
  EXPECT_FALSE(example.ask("narrow-access"));
}

TEST(RecordedKernels, ConflictsAreFoundWithTheirCost) {
  Example example("conflicts", {132, 1, 1}, {32, 1, 1});
  example.recorded("conflicts").takes(10.4e-6, 1e5);
  example.line(19, "t[threadIdx.x * 32 % 1024 + r % 32] = x[threadIdx.x + r];",
               {{"short_scoreboard", 10}, {"long_scoreboard", 60}});
  const auto advice = example.ask("bank-conflicts");
  ASSERT_TRUE(advice);
  EXPECT_LE(advice->gain.low, 19.3);
  EXPECT_NEAR(advice->gain.high, 19.3, 0.1);  // the cycles; the waits for them are fewer
  EXPECT_THAT(advice->lines, ElementsAre(19));
  EXPECT_THAT(speaking_tools(example), IsSupersetOf({"in-flight", "bank-conflicts"}));
}

TEST(RecordedKernels, SpillsAreCriticalAndNotTakenForSlowLoads) {
  Example example("spills", {264, 1, 1}, {1024, 1, 1});
  example.recorded("spills").takes(4.11e-3, 5e6);
  example.with(tag::spill_stores, 804).with(tag::spill_loads, 1204).with(tag::stack, 400);
  const auto advice = example.ask("register-spill");
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->severity, Severity::critical);
  EXPECT_GT(advice->gain.high, 60);
  EXPECT_THAT(advice->recommendation, HasSubstr("1024 threads"));
  EXPECT_FALSE(example.ask("long-scoreboard"));
  EXPECT_FALSE(example.ask("local-array"));
  example.with(tag::sass_instructions, 4000).with("sass.load_global.32", 96);
  EXPECT_FALSE(example.ask("no-tiling"));
  EXPECT_FALSE(example.ask("narrow-access"));
}

// Every warp fetches its operands from L1: no tile, and half of each sector is wasted.
TEST(RecordedKernels, WmmaFromGlobalMemoryLacksTiling) {
  Example example("wmma16", {2048, 1, 1}, {256, 1, 1});
  example.recorded("wmma16").takes(591e-6, 3.3e7, {{"f16", 2.0 * 2048 * 2048 * 2048}});
  example.with(tag::sass_instructions, 200)
      .with(tag::sass_hmma, 8)
      .with("sass.loop_mix.load_global", 32)
      .with("sass.loop_mix.tensor", 8);
  EXPECT_EQ(example.facts().diagnosis.bound, core::Bound::compute);
  EXPECT_THAT(example.facts().diagnosis.disagreement,
              HasSubstr("bytes are moved that the task does not need"));
  const auto advice = example.ask("no-tiling");
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->severity, Severity::critical);
  EXPECT_TRUE(example.ask("uncoalesced"));
  EXPECT_FALSE(example.ask("tensor-idle"));
  EXPECT_FALSE(example.ask("older-tensor-path")) << "at 4 % the tensor pipe is not what is slow";
}

TEST(RecordedKernels, AtomicsOnTwoAddressesAndTheFenceBehindThem) {
  Example example("atomics", {1000, 1, 1}, {256, 1, 1});
  example.recorded("atomics").takes(95.6e-6, 8);
  example.source(
      "extern \"C\" __global__ void atomics(int* y, int n) {\n  atomicAdd(y + (threadIdx.x & 1), "
      "1);\n  __threadfence();\n}\n");
  const auto advice = example.ask("atomics");
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->severity, Severity::critical);
  EXPECT_THAT(advice->lines, ElementsAre(2));
  const auto fence = example.ask("fences");
  ASSERT_TRUE(fence);
  EXPECT_THAT(fence->lines, ElementsAre(3));
  EXPECT_THAT(fence->recommendation, HasSubstr("__threadfence_block"));
}

// The grouped product whose consumers release their slots at cluster scope. Utilisation, stalls,
// occupancy and cycles are those of its report; what the report does not have (the split of the
// DRAM bytes, counts of accesses, of SASS, of the busiest SM) is filled in so that every tool can
// look.
Example moe() {
  Example example("moe_dw1", {132, 1, 1}, {512, 1, 1});
  example.takes(534e-6, 65536.0 * 768 * 2 + 65536.0 * 2048 * 2 + 128.0 * 768 * 2048 * 2,
                {{"bf16", 2.0 * 65536 * 768 * 2048}});
  const std::pair<const char*, double> metrics[] = {{"kernel.seconds", 500.77e-6},
                                                    {"kernel.cycles", 891316},
                                                    {"kernel.compute", 0.4333},
                                                    {"kernel.memory", 0.5045},
                                                    {"kernel.dram", 0.3107},
                                                    {"kernel.dram.read", 364e6},
                                                    {"kernel.dram.written", 382e6},
                                                    {"kernel.l2", 0.7183},
                                                    {"kernel.l2.hit", 0.7487},
                                                    {"kernel.l1", 0.4466},
                                                    {"kernel.l1.hit", 0.0999},
                                                    {"kernel.issue", 0.1927},
                                                    {"kernel.pipe.tensor", 0.4333},
                                                    {"kernel.pipe.fma", 0.02},
                                                    {"kernel.occupancy", 0.25},
                                                    {"kernel.occupancy.theory", 0.25},
                                                    {"kernel.limit.registers", 1},
                                                    {"kernel.limit.shared", 1},
                                                    {"kernel.limit.warps", 4},
                                                    {"kernel.limit.blocks", 32},
                                                    {"kernel.limit.barriers", 32},
                                                    {"kernel.waves", 1},
                                                    {"kernel.warp_cycles", 20.45},
                                                    {"kernel.threads.active", 31.94},
                                                    {"kernel.stall.membar", 0.3659},
                                                    {"kernel.stall.long_scoreboard", 0.193},
                                                    {"kernel.stall.barrier", 0.175},
                                                    {"kernel.stall.wait", 0.0885},
                                                    {"kernel.stall.short_scoreboard", 0.07},
                                                    {"kernel.stall.selected", 0.05},
                                                    {"kernel.stall.not_selected", 0.014},
                                                    {"kernel.stall.mio_throttle", 0.009},
                                                    {"kernel.stall.lg_throttle", 0.001},
                                                    {"kernel.stall.math_pipe_throttle", 0.0085},
                                                    {"kernel.stall.no_instruction", 0.004},
                                                    {"kernel.shared.wavefronts", 1.5e6},
                                                    {"kernel.shared.excess", 4397},
                                                    {"kernel.global.load.requests", 2e5},
                                                    {"kernel.global.load.sectors", 8},
                                                    {"kernel.global.load.ideal", 7},
                                                    {"kernel.sm.active_mean", 868257},
                                                    {"kernel.sm.active_max", 880000},
                                                    {"kernel.instructions", 89548423},
                                                    {"kernel.atomics", 0},
                                                    {"kernel.local.loads", 0},
                                                    {"kernel.local.stores", 0},
                                                    {"sass.instructions", 2100},
                                                    {"sass.tensor.hgmma", 24},
                                                    {"sass.tensor.hmma", 0},
                                                    {"sass.fence.membar", 3},
                                                    {"sass.fence.errbar", 3},
                                                    {"sass.copy.bulk", 2},
                                                    {"build.spill_stores", 0},
                                                    {"build.spill_loads", 0}};
  for (const auto& [tag, value] : metrics) example.with(tag, value);
  example.source(
      "__device__ void mb_arrive(u32 b) { asm volatile(\"mbarrier.arrive.shared::cta.b64 _, "
      "[%0];\"); }\n"
      "__device__ void mb_arrive_cl(u32 b) { asm "
      "volatile(\"mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];\"); }\n"
      "extern \"C\" __global__ void moe_dw1() {\n  if ((v_tid() & 31) < 2) mb_arrive_cl(ea_cl + 8 "
      "* st);\n}\n");
  example.line(2,
               "__device__ void mb_arrive_cl(u32 b) { asm "
               "volatile(\"mbarrier.arrive.release.cluster.shared::cluster",
               {{"membar", 20149}, {"wait", 600}});
  example.line(4, "if ((v_tid() & 31) < 2) mb_arrive_cl(ea_cl + 8 * st);",
               {{"long_scoreboard", 5500}, {"barrier", 9400}});
  return example;
}

TEST(RecordedKernels, TheReleaseAtClusterScopeIsTheFirstAdvice) {
  const auto example = moe();
  EXPECT_EQ(example.facts().diagnosis.bound, core::Bound::latency);
  EXPECT_EQ(example.facts().diagnosis.theory, core::Bound::compute);
  auto stage = run_tools(example.facts());
  order(stage.advice, {});
  ASSERT_FALSE(stage.advice.empty());
  const auto& first = stage.advice.front();
  EXPECT_EQ(first.tool, "fences");
  EXPECT_EQ(first.id, "A1");
  EXPECT_EQ(first.severity, Severity::critical);
  EXPECT_THAT(first.lines, ElementsAre(2));
  EXPECT_THAT(first.recommendation, HasSubstr("use the plain form"));
  EXPECT_NEAR(first.gain.low, 23, 1.5);  // 1.30 times as fast; 1.34 to 1.41 were realised
  EXPECT_NEAR(first.gain.high, 36, 1.5);
  for (const auto* silent : {"occupancy", "long-scoreboard", "divergence", "uncoalesced",
                             "bank-conflicts", "older-tensor-path", "tail-effect"})
    EXPECT_THAT(speaking_tools(example), Not(testing::Contains(silent)));
}

}  // namespace
}  // namespace hone::profile
