#include "judge/python/batch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hone::judge {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::uint64_t mib = 1 << 20, gib = 1 << 30;

TEST(Batch, IsAsLongAsItIsWorth) {
  const auto gpu = batch_limits(core::ClockKind::device);
  EXPECT_EQ(batch_size(gpu, 1e-3, 1e-4, mib, 3, 100 * gib, 4), 10u);
  EXPECT_EQ(batch_size(gpu, 1e-3, 1e-3, mib, 3, 100 * gib, 4), 20u) << "the word itself costs much";
  EXPECT_EQ(batch_size(gpu, 0.02, 1e-4, mib, 3, 100 * gib, 4), 1u);
  EXPECT_EQ(batch_size(gpu, 0, 0, mib, 3, 100 * gib, 4), gpu.calls);
}

TEST(Batch, IsNoLargerThanItsMemory) {
  const auto gpu = batch_limits(core::ClockKind::device);
  EXPECT_EQ(batch_size(gpu, 1e-3, 1e-4, 2 * gib, 3, 200 * gib, 4), 4u);
  EXPECT_EQ(batch_size(gpu, 1e-3, 1e-4, 2 * gib, 3, 24 * gib, 4), 3u)
      << "a quarter of what is free";
  EXPECT_EQ(batch_size(gpu, 1e-3, 1e-4, 16 * gib, 3, 200 * gib, 4), 2u)
      << "two, where they fit at all";
  EXPECT_EQ(batch_size(gpu, 1e-3, 1e-4, 40 * gib, 3, 200 * gib, 4), 1u);
  EXPECT_EQ(batch_size(gpu, 1e-3, 1e-4, mib, 64, 100 * gib, 4), 3u) << "each buffer is mapped";
  EXPECT_EQ(batch_size(gpu, 1e-3, 1e-4, mib, 500, 100 * gib, 4), 1u);
}

TEST(Batch, NeedsDifferentContents) {
  EXPECT_EQ(batch_size(batch_limits(core::ClockKind::device), 1e-3, 1e-4, mib, 3, 100 * gib, 1),
            1u);
}

TEST(Batch, CallsThatOverlapAreFound) {
  const auto gpu = batch_limits(core::ClockKind::device);
  EXPECT_THAT(overlap(gpu, 1e-4, 6.5e-4, 8e-5), IsEmpty())
      << "its host's time, twice the gap, and 0.3 ms";
  EXPECT_THAT(overlap(gpu, 1e-4, 8e-4, 8e-5), HasSubstr("the time of a call alone counts"));
  EXPECT_THAT(overlap(gpu, 1.42e-4, 4.11e-4, 0), IsEmpty()) << "an honest one on an H200";
  EXPECT_THAT(overlap(gpu, 1e-2, 1.09e-2, 0), IsEmpty());
  EXPECT_THAT(overlap(batch_limits(core::ClockKind::judge), 4e-3, 8e-3, 0),
              HasSubstr("Calls overlap"));
}

// A machine that takes 4 ms to wake a process explained 6.4 ms alone beside 0.22 ms in a batch,
// before there was a ceiling.
TEST(Batch, WhatABusyMachineExplainsHasACeiling) {
  const auto cpu = batch_limits(core::ClockKind::judge);
  EXPECT_THAT(overlap(cpu, 2.2e-4, 6.4e-3, 3e-3), HasSubstr("Calls overlap"));
  EXPECT_NEAR(overlap_allowance(cpu, 1, 1, 1), 2.5e-3, 1e-12);
  EXPECT_NEAR(overlap_allowance(cpu, 1, 3e-3, 1), 1.5e-3, 1e-12)
      << "never more than half of the call";
  EXPECT_NEAR(overlap_allowance(cpu, 1, 1e-4, 1), 5e-4, 1e-12) << "but half a millisecond always";
  EXPECT_NEAR(overlap_allowance(cpu, 1, 1, 1e-4), 7e-4, 1e-12) << "and no more than was measured";
  EXPECT_THAT(overlap(cpu, 4e-3, 6.2e-3, 1e-3), IsEmpty())
      << "an honest one that was woken up late";
  const auto gpu = batch_limits(core::ClockKind::device);
  EXPECT_NEAR(overlap_allowance(gpu, 1, 10, 1), 2.8e-3, 1e-12)
      << "host's time and gap have one each";
  EXPECT_NEAR(overlap_allowance(gpu, 1e-4, 10, 0), 4e-4, 1e-12)
      << "a short call has little of the host's time";
}

TEST(Batch, ARecordThatIsLongerIsFound) {
  EXPECT_THAT(overlap_in_record(1e-4, 1.1e-4), IsEmpty());
  EXPECT_THAT(overlap_in_record(1e-4, 2e-4), HasSubstr("The recorded time counts"));
}

}  // namespace
}  // namespace hone::judge
