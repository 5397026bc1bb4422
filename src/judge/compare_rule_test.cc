#include "judge/compare_rule.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace hone::judge {
namespace {

using core::Comparison;

// A comparison that is simulated: everything but the times is the judge's own.
struct Simulation {
  double slower = 0;            // the truth: log of the time of b over that of a
  double seconds = 42e-6;       // of a call
  double round_seconds = 0.03;  // that a round takes
  double within = 0.002;        // standard deviation of a block's log ratio
  double between = 0.0035;      // of what the two processes add to it, for as long as they live
  double loads = 0;             // of what each load of the candidates adds to it
  std::size_t cases = 1;
  bool exchange = true;

  Comparison run(std::mt19937& random) const {
    const auto draw = [&](double deviation) {
      return std::normal_distribution<double>(0, deviation)(random);
    };
    CompareRule rule = compare_rule(core::ClockKind::device);
    if (!exchange) rule = without_exchange(rule);
    const double processes = draw(between);
    Rounds all(cases, CaseRounds{{}, seconds});
    for (int n = 1;; ++n) {
      // In the second half the processes have changed places. All cases of a half share its loads.
      const double first = slower + processes + draw(loads),
                   second = slower - processes + draw(loads);
      for (CaseRounds& one : all)
        one.log_ratios.push_back(exchange ? (first + draw(within) + second + draw(within)) / 2
                                          : first + draw(within));
      if (stop_after(rule, all, n * round_seconds) != Stop::not_yet)
        return word_of(rule, all, Look::last);
    }
  }
};

struct Counts {
  int different = 0, slower = 0, cannot_tell = 0;
};

Counts count(const Simulation& simulation, int times) {
  std::mt19937 random(7);
  Counts counts;
  for (int i = 0; i < times; ++i) {
    const Comparison word = simulation.run(random);
    counts.different += word == Comparison::faster || word == Comparison::slower ? 1 : 0;
    counts.slower += word == Comparison::slower ? 1 : 0;
    counts.cannot_tell += word == Comparison::cannot_tell ? 1 : 0;
  }
  return counts;
}

constexpr int many = 2000;

TEST(CompareRule, RarelyCallsEqualKernelsDifferentAndRarelyCannotTell) {
  for (const double seconds : {42e-6, 286e-6})
    for (const std::size_t cases : {1u, 3u}) {
      const Counts counts = count({.seconds = seconds, .round_seconds = 0.1, .cases = cases}, many);
      EXPECT_LE(counts.different, many / 100) << seconds << ", " << cases << " cases";
      EXPECT_LE(counts.cannot_tell, many / 10) << seconds << ", " << cases << " cases";
    }
}

// An exchange cancels what belongs to a process. What every load adds is in the spread of the
// rounds instead.
TEST(CompareRule, RarelyCallsEqualKernelsDifferentWhereEveryLoadAddsSomething) {
  const Counts small = count({.loads = 0.0035}, many);
  EXPECT_LE(small.different, many / 100);
  EXPECT_LE(small.cannot_tell, many / 10);
  const Counts large =
      count({.seconds = 286e-6, .round_seconds = 0.1, .loads = 0.0029, .cases = 2}, many);
  EXPECT_LE(large.different, many / 100);
  EXPECT_LE(large.cannot_tell, many / 10);
}

TEST(CompareRule, RarelyCallsEqualKernelsDifferentOnANoisyMachine) {
  EXPECT_LE(count({.within = 0.05, .loads = 0.02}, many).different, many / 100);
}

TEST(CompareRule, FindsHalfAPercentAt200MicrosecondsAndOnePercentAt40) {
  EXPECT_GE(
      count({.slower = std::log(1.005), .seconds = 200e-6, .round_seconds = 0.1}, many).slower,
      many * 95 / 100);
  EXPECT_GE(count({.slower = std::log(1.01), .seconds = 40e-6}, many).slower, many * 95 / 100);
  EXPECT_GE(count({.slower = std::log(1.01), .seconds = 40e-6, .loads = 0.0035}, many).slower,
            many * 95 / 100);
}

TEST(CompareRule, WithoutAnExchangeTheMarginIsOnePercentAndTwoAreFound) {
  const Counts equal = count({.seconds = 286e-6, .exchange = false}, many);
  EXPECT_LE(equal.different, many / 100);
  EXPECT_LE(equal.cannot_tell, many / 10);
  EXPECT_GE(count({.slower = std::log(1.02), .seconds = 286e-6, .exchange = false}, many).slower,
            many * 95 / 100);
  EXPECT_EQ(without_exchange(compare_rule(core::ClockKind::judge)).margin, 0.03);
}

TEST(CompareRule, DecidesOnASchedule) {
  const CompareRule rule = compare_rule(core::ClockKind::device);
  const auto after = [&](std::size_t rounds, double log_ratio, double elapsed) {
    return stop_after(rule, {CaseRounds{std::vector<double>(rounds, log_ratio), 1e-3}}, elapsed);
  };
  EXPECT_EQ(after(2, 0, 100), Stop::not_yet) << "the fewest rounds are made, whatever they cost";
  for (const std::size_t rounds : {3, 4, 5, 6})
    EXPECT_EQ(after(rounds, 0, 0), Stop::decided) << "the same";
  EXPECT_EQ(after(3, 0.1, 0), Stop::decided);
  EXPECT_EQ(after(4, 0.1, 0), Stop::not_yet) << "a claim waits for its look";
  EXPECT_EQ(after(5, 0.1, 0), Stop::decided);
  EXPECT_EQ(after(8, 0.1, 0), Stop::decided);
  EXPECT_EQ(after(10, 0.1, 100), Stop::time);
  EXPECT_EQ(after(400, 0.1, 0), Stop::rounds);
}

TEST(CompareRule, TheSpreadOfTheRoundsMeansCountsOverCases) {
  // Both cases move together: the mean is no surer than each of them.
  const std::vector<double> rounds = {0.01, -0.01, 0.02, -0.02};
  const double one = estimate(rounds).standard_error;
  EXPECT_NEAR(estimate_of_all({{rounds, 1}, {rounds, 1}}).standard_error, one, 1e-12);
  // They move against each other: the mean stands still.
  std::vector<double> opposite;
  for (const double ratio : rounds) opposite.push_back(0.1 - ratio);
  const RatioEstimate mean = estimate_of_all({{rounds, 1}, {opposite, 1}});
  EXPECT_NEAR(mean.standard_error, 0, 1e-12);
  EXPECT_NEAR(mean.log_ratio, 0.05, 1e-12);
}

TEST(CompareRule, NeedsACaseThatCarriesTheDifference) {
  const CompareRule rule{.margin = 0.003, .resolution = 3e-7};
  const auto steady = [](double ratio) { return std::vector<double>(8, std::log(ratio)); };
  EXPECT_EQ(word_of(rule, {{steady(0.99), 1e-3}}, Look::last), Comparison::faster);
  EXPECT_EQ(word_of(rule, {{steady(1.01), 1e-3}}, Look::last), Comparison::slower);
  EXPECT_EQ(word_of(rule, {{steady(1.001), 1e-3}}, Look::last), Comparison::same);
  // 0.4 % of 20 µs are less than 0.3 µs.
  EXPECT_EQ(word_of(rule, {{steady(0.996), 2e-5}}, Look::last), Comparison::same);
  // The mean over both cases is 2 % faster beyond doubt, but neither of them shows it.
  const std::vector<double> noisy = {-0.11, 0.09, -0.11, 0.09, -0.11, 0.09, -0.11, 0.09};
  std::vector<double> against;
  for (const double ratio : noisy) against.push_back(-0.04 - ratio);
  EXPECT_EQ(word_of(rule, {{noisy, 1e-3}, {against, 1e-3}}, Look::last), Comparison::cannot_tell);
}

TEST(CompareRule, OnABusyMachineAClaimMustBeLargerThanWhatOtherProgramsCost) {
  const CompareRule rule{.margin = 0.03, .resolution = 0};
  const auto steady = [](double ratio) {
    return Rounds{{std::vector<double>(8, std::log(ratio)), 1e-3}};
  };
  EXPECT_EQ(word_when_busy(rule, steady(1.3), 0), Comparison::slower);
  EXPECT_EQ(word_when_busy(rule, steady(1.3), 0.3), Comparison::cannot_tell);
  EXPECT_EQ(word_when_busy(rule, steady(1.6), 0.3), Comparison::slower);
  EXPECT_EQ(word_when_busy(rule, steady(0.5), 0.3), Comparison::faster);
  EXPECT_EQ(word_when_busy(rule, steady(0.5), 1), Comparison::cannot_tell);
  EXPECT_EQ(word_when_busy(rule, steady(1.001), 0.3), Comparison::same);
}

TEST(CompareRule, SaysHowMuchLongerItWouldNeed) {
  const CompareRule rule{.margin = 0.01, .resolution = 0, .seconds = 1};
  const std::vector<double> wide = {0.02, -0.02, 0.02, -0.02, 0.02, -0.02, 0.02, -0.02};
  const Rounds cases = {{wide, 1e-3}};
  ASSERT_EQ(word_of(rule, cases, Look::last), Comparison::cannot_tell);
  const auto needed = seconds_needed(rule, cases, 1);
  ASSERT_TRUE(needed);
  // The half width is 3.499 * 0.0214 / sqrt(8) = 2.6 %: 7 times as many rounds, and some more.
  EXPECT_EQ(*needed, 10);
  // At the margin no time is enough.
  EXPECT_FALSE(
      seconds_needed(rule, {{{0.03, -0.01, 0.03, -0.01, 0.03, -0.01, 0.03, -0.01}, 1e-3}}, 1));
}

TEST(CompareRule, HasFourWords) {
  EXPECT_EQ(core::word_for({0.9, 0.95}, 0.002), Comparison::faster);
  EXPECT_EQ(core::word_for({1.01, 1.02}, 0.002), Comparison::slower);
  EXPECT_EQ(core::word_for({0.999, 1.001}, 0.002), Comparison::same);
  EXPECT_EQ(core::word_for({1.0005, 1.001}, 0.002), Comparison::same);
  EXPECT_EQ(core::word_for({0.99, 1.01}, 0.002), Comparison::cannot_tell);
}

}  // namespace
}  // namespace hone::judge
