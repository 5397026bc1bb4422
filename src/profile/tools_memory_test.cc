// Tools that look at memory.
#include <gmock/gmock.h>

#include "profile/tool_test_waiting.h"

namespace hone::profile {
namespace {

using core::Severity;
using testing::HasSubstr;

TEST(Uncoalesced, DoesNotMindOneAddressForAWholeWarp) {
  auto broadcast = waiting()
                       .with(tag::load_sectors, 1)
                       .with(tag::load_sectors_ideal, 0.125)
                       .with(tag::l1_fraction, 0.9);
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
  EXPECT_TRUE(
      copies.with(tag::line_sectors, 8e6).with(tag::line_sectors_ideal, 1e6).ask("uncoalesced"));
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
  narrow_tail.with(tag::load_requests, 1e6)
      .with(tag::load_sectors, 16)
      .with(tag::load_sectors_ideal, 16);
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
  EXPECT_GT(four_times.ask("dram-saturated")->gain.high, 60)
      << "what repetitions move counts together";
  EXPECT_FALSE(waiting().ask("dram-saturated"));
}

TEST(ExcessBytes, ComparesWithTheTasksFormula) {
  auto example = waiting().takes(1e-3, 1e9).with(tag::dram_read, 3e9);
  const auto advice = example.ask("excess-bytes");
  ASSERT_TRUE(advice);
  EXPECT_LT(advice->gain.low, 100 * 2.03e9 / 4.23e12 / 1e-3);
  EXPECT_NEAR(advice->gain.high, 100 * (3.03e9 / 4.23e12 / 1e-3) * (1 - 0.95 / 3.03), 0.5);
  EXPECT_FALSE(waiting().takes(1e-3, 2.9e9).with(tag::dram_read, 3e9).ask("excess-bytes"));
  EXPECT_THAT(waiting().without(tag::dram_read, "no rights").left_out("excess-bytes"),
              HasSubstr("no rights"));
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
  example.with("sass.loop_mix.f32", 16)
      .with("sass.loop_mix.load_shared", 20)
      .with("sass.load_shared.32", 20);
  EXPECT_TRUE(example.ask("register-tiling"));
  auto tiled = waiting().with(tag::l1_fraction, 0.85).with(tag::memory_fraction, 0.85);
  tiled.with("sass.loop_mix.f32", 64)
      .with("sass.loop_mix.load_shared", 4)
      .with("sass.load_shared.128", 4);
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
  auto example = waiting()
                     .with(tag::atomics, 1e6)
                     .with("kernel.stall.lg_throttle", 0.4)
                     .with("kernel.stall.long_scoreboard", 0.3);
  EXPECT_TRUE(example.ask("atomics"));
  EXPECT_FALSE(example.with(tag::atomics, 400).ask("atomics"));
  EXPECT_FALSE(example.with(tag::atomics, 1e6).with(tag::l2_fraction, 0.8).ask("atomics"))
      << "spread over a full L2";
}

}  // namespace
}  // namespace hone::profile
