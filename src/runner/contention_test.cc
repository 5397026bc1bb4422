#include "runner/contention.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include "runner/scripted_runner.h"

namespace hone::runner {
namespace {

// In one second of calls on two cores.
Contention in_a_second(double delay, double own, double outside) {
  return {10, 1, delay, own, outside, 2};
}

TEST(Contention, OfOtherProgramsMakesAMachineBusy) {
  EXPECT_TRUE(is_busy(in_a_second(0.8, 0.4, 1.6))) << "eight loops beside a kernel with one thread";
  EXPECT_TRUE(is_busy(in_a_second(0.5, 1.0, 1.0))) << "one loop beside a kernel with two threads";
}

TEST(Contention, ThatACandidateCausesItselfDoesNot) {
  EXPECT_FALSE(is_busy(in_a_second(30, 2, 0))) << "thirty threads on two cores";
  EXPECT_FALSE(is_busy(in_a_second(98, 1.95, 0.05)))
      << "a hundred threads, beside what every machine does";
  EXPECT_LE(outside_delay(in_a_second(98, 1.95, 0.05)), 0.05)
      << "nothing delays others for longer than it runs";
}

TEST(Contention, IsMeasuredAgainstAllCores) {
  EXPECT_FALSE(is_busy({10, 1, 16, 15.8, 0.2, 16}))
      << "twice as many threads as cores, beside one hundredth of them";
  EXPECT_TRUE(is_busy({10, 1, 16, 8, 8, 16})) << "half of them used by others";
  EXPECT_FALSE(is_busy({1, 0.05, 0.04, 0.05, 0.04, 2}))
      << "a few ticks of the kernel's clock prove nothing";
}

TEST(Contention, WithoutDelayDoesNot) {
  EXPECT_FALSE(is_busy(in_a_second(0.001, 1, 1))) << "a loop on the other core is in nothing's way";
  EXPECT_FALSE(is_busy(in_a_second(0, 1, 0)));
}

TEST(Contention, IsNotKnownWhereNoCallWasObserved) {
  EXPECT_FALSE(is_busy({}));
  EXPECT_EQ(outside_delay({0, 1, 1, 1, 1}), 0);
  EXPECT_EQ(outside_delay(in_a_second(1, 1, -0.01)), 0)
      << "what others used came out below nothing";
  EXPECT_FALSE(is_busy(in_a_second(0.5, 1, -0.02)))
      << "ticks may fall so that others seem to have used less than nothing";
}

// Looked at from 10 to 10.4 s, while the call itself took a quarter of that: it has a quarter of
// the processor time, and all of the delay, since a sandbox that is stopped waits for nothing.
TEST(Contention, IsThatOfTheCallAndNotOfWhatLiesBesideIt) {
  const ProcessorTimes before{10, 1, 5, 2, 2}, after{10.4, 1.05, 5.2, 2.2, 2};
  Contention sum;
  add(sum, {before, after, 0.1, 0.01});
  add(sum, {before, after, 0.1, 0.01});
  EXPECT_EQ(sum.calls, 2);
  EXPECT_EQ(sum.cores, 2);
  EXPECT_NEAR(sum.window, 0.2, 1e-12);
  EXPECT_NEAR(sum.delay, 0.12, 1e-12);
  EXPECT_NEAR(sum.own, 0.1, 1e-12);
  EXPECT_NEAR(sum.outside, 0.2, 1e-12) << "two cores for 0.4 s, less 0.2 s idle and 0.2 s its own";
  EXPECT_NEAR(sum.observed, 0.8, 1e-12);
  EXPECT_TRUE(is_busy(sum));
}

TEST(Contention, OfShortCallsIsKnownFromTheLongerTimeThatWasObserved) {
  const Contention calls{10, 0.02, 0.01, 0.01, 0.015, 2, 0},
      observed{10, 0.02, 0.01, 0.01, 0.015, 2, 0.2};
  EXPECT_FALSE(is_busy(calls)) << "one or two ticks of the kernel's clock";
  EXPECT_TRUE(is_busy(observed));
}

TEST(Contention, OfACallThatTookNoTimeIsNothing) {
  Contention sum;
  add(sum, {{10, 1, 5, 2, 2}, {10, 1, 5, 2, 2}, 0.1, 0});
  EXPECT_EQ(sum.calls, 0);
}

TEST(ProcStat, TellsIdleTimeAndCores) {
  const auto idle = idle_in(
      "cpu  100 0 50 700 42 0 9 21 0 0\ncpu0 50 0 25 350 21 0 4 10 0 0\n"
      "cpu1 50 0 25 350 21 0 5 11 0 0\nintr 1 2 3\n");
  ASSERT_TRUE(idle);
  EXPECT_EQ(idle->cores, 2);
  EXPECT_DOUBLE_EQ(idle->seconds, 742.0 / static_cast<double>(::sysconf(_SC_CLK_TCK)));
  EXPECT_FALSE(idle_in(""));
  EXPECT_FALSE(idle_in("intr 1 2 3\n"));
}

// The real one. A thread's time on run queues and processors only grows.
TEST(ProcSchedstat, OfThisProcessIsRead) {
  std::ifstream kernel("/proc/self/schedstat");
  if (!kernel) GTEST_SKIP() << "this kernel has no schedstat";
  const auto waited = run_queue_seconds(::getpid());
  ASSERT_TRUE(waited);
  EXPECT_GE(*waited, 0);
  EXPECT_GE(run_queue_seconds(::getpid()).value_or(-1), *waited);
  const auto used = processor_seconds(::getpid());
  ASSERT_TRUE(used);
  EXPECT_GT(*used, 0);
  EXPECT_GE(processor_seconds(::getpid()).value_or(0), *used);
  std::ifstream file("/proc/stat");
  const auto idle =
      idle_in(std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()));
  ASSERT_TRUE(idle);
  EXPECT_EQ(idle->cores, ::sysconf(_SC_NPROCESSORS_ONLN));
}

TEST(ProcSchedstat, OfAProcessThatIsNotThereIsNothing) {
  EXPECT_FALSE(run_queue_seconds(-1));
  EXPECT_FALSE(processor_seconds(0x7ffffffe));
}

// ---- calls that are observed

TEST(ContentionMeter, AddsUpTheCallsOfRunnersOnItsThread) {
  Runner runner =
      ScriptedRunner(
          {{"go", {{.says = {R"({"ok":true,"error":"","device":0.001,"wall":0.001})"}}}}})
          .start();
  ASSERT_TRUE(runner.drop());
  const auto call = [&] {
    CallWatch watch(runner);
    watch.start();
    const auto timed = runner.go(60);
    ASSERT_TRUE(timed) << timed.error().text;
    watch.finish(timed->judge_seconds);
  };
  call();  // without a meter it is not observed
  const ContentionMeter outer;
  call();
  if (outer.so_far().calls == 0) GTEST_SKIP() << "this kernel does not tell";
  {
    const ContentionMeter inner;
    call();
    EXPECT_EQ(inner.so_far().calls, 1);
    EXPECT_GT(inner.so_far().window, 0);
    EXPECT_GE(inner.so_far().cores, 1);
  }
  EXPECT_EQ(outer.so_far().calls, 2) << "the inner meter's call counts for the outer one too";
  call();
  EXPECT_EQ(outer.so_far().calls, 3) << "and it is in use again";
}

}  // namespace
}  // namespace hone::runner
