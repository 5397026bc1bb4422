#include "profile/energy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace hone::profile {
namespace {

using testing::HasSubstr;

// A counter that moves every `tick` seconds, read every 5 ms, under a load of so many watts.
std::vector<EnergySample> readings(double seconds, double tick, double (*watts)(double)) {
  std::vector<EnergySample> samples;
  double joules = 1000, shown = 1000, last = 0;
  for (int i = 0; i * 0.005 <= seconds; ++i) {
    const double time = i * 0.005;
    joules += 0.005 * watts(time);
    if (time - last >= tick - 1e-9) {
      shown = joules;
      last = time;
    }
    samples.push_back({time, shown});
  }
  return samples;
}

std::vector<CallCount> steady_calls(double from, double to, double rate) {
  std::vector<CallCount> counts;
  for (double time = from; time <= to; time += 0.25) counts.push_back({time, rate * (time - from)});
  return counts;
}

TEST(Energy, AConstantLoadGivesPowerOverRate) {
  const auto samples = readings(20, 0.1, [](double) { return 500.0; });
  const auto windows = energy_windows(samples, steady_calls(1, 18, 1000), 5);
  ASSERT_EQ(windows.size(), 3u);
  EXPECT_GE(windows[0].seconds, 5);
  EXPECT_LT(windows[0].seconds, 5.2);
  const auto energy = energy_of_call(windows);
  ASSERT_TRUE(energy) << energy.error();
  EXPECT_NEAR(energy->joules, 0.5, 1e-3);
  EXPECT_NEAR(energy->watts, 500, 1);
  EXPECT_LE(energy->interval.low, energy->joules);
  EXPECT_GE(energy->interval.high, energy->joules);
}

TEST(Energy, WhatVariesTooMuchIsNotClaimed) {
  const auto samples = readings(20, 0.1, [](double time) { return time < 8 ? 500.0 : 560.0; });
  const auto energy = energy_of_call(energy_windows(samples, steady_calls(1, 18, 1000), 5));
  ASSERT_FALSE(energy);
  EXPECT_THAT(energy.error(), HasSubstr("more than 5 %"));
}

TEST(Energy, ACounterThatMovesTooSeldomIsNotBelieved) {
  const auto samples = readings(20, 1.0, [](double) { return 500.0; });
  const auto energy = energy_of_call(energy_windows(samples, steady_calls(1, 18, 1000), 5));
  ASSERT_FALSE(energy);
  EXPECT_THAT(energy.error(), HasSubstr("moved 5 times"));
}

TEST(Energy, TooShortARunGivesTooFewWindows) {
  const auto samples = readings(9, 0.1, [](double) { return 500.0; });
  const auto windows = energy_windows(samples, steady_calls(0, 9, 10), 5);
  EXPECT_EQ(windows.size(), 1u);
  EXPECT_FALSE(energy_of_call(windows));
  EXPECT_TRUE(energy_windows({}, {}, 5).empty());
  EXPECT_TRUE(energy_windows(samples, {}, 5).empty());
}

TEST(Energy, PowerIsTakenFromTickToTick) {
  EXPECT_NEAR(*average_power(readings(2, 0.1, [](double) { return 80.0; })), 80, 1e-6);
  EXPECT_FALSE(average_power({}));
  EXPECT_FALSE(average_power({{0, 5}, {1, 5}}));
}

TEST(Energy, PausesBetweenBatchesCountForTheWindow) {
  // Each second: 0.5 s of calls, 0.5 s of nothing.
  std::vector<CallCount> counts;
  for (int second = 0; second < 18; ++second) {
    counts.push_back({double(second), 100.0 * second});
    counts.push_back({second + 0.5, 100.0 * (second + 1)});
  }
  const auto windows = energy_windows(readings(20, 0.1, [](double) { return 200.0; }), counts, 5);
  ASSERT_EQ(windows.size(), 3u);
  for (const auto& window : windows) EXPECT_NEAR(window.calls / window.seconds, 100, 20);
}

}  // namespace
}  // namespace hone::profile
