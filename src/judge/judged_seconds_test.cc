#include "judge/judged_seconds.h"

#include <gtest/gtest.h>

namespace hone::judge {
namespace {

TEST(JudgedSeconds, WhatGoesOnAfterTheAnswerCounts) {
  const PythonCost cost{.request = 2e-4, .copy = 1e-5, .gap = 0, .settle = 1e-4};
  CallResult called;
  called.timed.judge_seconds = 2.2e-3;
  EXPECT_NEAR(judged_seconds(cost, called, 10), 1.9e-4, 1e-12);
  called.settled = 1.6e-4;
  EXPECT_NEAR(judged_seconds(cost, called, 10), 1.9e-4, 1e-12)
      << "nothing that an idle device does not do, too";
  called.settled = 2.17e-3;
  EXPECT_NEAR(judged_seconds(cost, called, 10), 3.9e-4, 1e-12);
  called.timed.judge_seconds = 0;
  called.settled = 0;
  EXPECT_GT(judged_seconds(cost, called, 10), 0) << "of a time a logarithm can be taken";
}

TEST(JudgedSeconds, WorkBeforeTheCallCounts) {
  const PythonCost cost{.request = 2e-4, .prepare = 5e-4};
  CallResult called;
  called.timed.judge_seconds = 2.2e-3;
  called.prepared = 1.5e-2;
  EXPECT_NEAR(judged_seconds(cost, called, 10), 2e-4, 1e-12)
      << "memory of ten calls is mapped, which takes its time";
  called.prepared = 2.7e-2;
  EXPECT_NEAR(judged_seconds(cost, called, 10), 1.2e-3, 1e-12);
  called.sets_before = 10;
  EXPECT_NEAR(judged_seconds(cost, called, 10), 2e-4, 1e-12)
      << "and that of ten calls before was unmapped";
  EXPECT_EQ(early_seconds({}, called, 10), 0) << "where nothing was measured";
}

TEST(JudgedSeconds, ACopyThatWasSavedDoesNotShortenACallBelowItsBytes) {
  CallResult called;
  called.timed.judge_seconds = 1e-3;
  EXPECT_NEAR(judged_seconds({.copy = 5e-5, .floor = 6e-5}, called, 10), 6e-5, 1e-12);
  EXPECT_NEAR(judged_seconds({.copy = 3e-5, .floor = 6e-5}, called, 10), 7e-5, 1e-12);
  EXPECT_NEAR(judged_seconds({.copy = 5e-5, .floor = 1}, called, 10), 1e-4, 1e-12)
      << "never longer than it took";
}

TEST(JudgedSeconds, WhatIsTakenOffATimeHasACeiling) {
  CallResult called;
  called.timed.judge_seconds = 1e-2;
  EXPECT_NEAR(judged_seconds({.request = 1}, called, 1), 9e-3, 1e-12);
  EXPECT_NEAR(judged_seconds({.copy = 1}, called, 1), 2.5e-3, 1e-12);
  called.settled = 1e-2;
  EXPECT_NEAR(late_seconds({.settle = 1}, called), 1e-2 - 1e-3 - 2e-5, 1e-12);
}

}  // namespace
}  // namespace hone::judge
