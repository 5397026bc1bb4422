#include "judge/admission_values.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace hone::judge {
namespace {

TEST(AdmissionValues, ShufflingChangesTheOrderAndKeepsTheValues) {
  std::vector<double> values;
  for (int i = 0; i < 100; ++i) values.push_back(i);
  auto moved = shuffled(values, 7);
  EXPECT_NE(moved, values);
  std::sort(moved.begin(), moved.end());
  EXPECT_EQ(moved, values);
}

TEST(AdmissionValues, SpreadHasRangeRmsAndDeviation) {
  const Spread spread = spread_of({3, 5});
  EXPECT_EQ(spread.low, 3);
  EXPECT_EQ(spread.high, 5);
  EXPECT_DOUBLE_EQ(spread.deviation, 1);
  EXPECT_DOUBLE_EQ(spread.rms * spread.rms, 17);
}

TEST(AdmissionValues, ConstantLinesAreCountedAlongTheAxisAskedFor) {
  const std::vector<double> rows = {1, 1, 1, 2, 2, 2};
  EXPECT_EQ(constant_lines(rows, {2, 3}, 1, 0), 1);
  EXPECT_EQ(constant_lines(rows, {2, 3}, 0, 0), 0);
  const std::vector<double> half = {1, 1, 1, 2, 3, 4};
  EXPECT_EQ(constant_lines(half, {2, 3}, 1, 0), 0.5);
  EXPECT_EQ(constant_lines(half, {2, 3}, 1, 10), 1);  // all values are equal within this tolerance
}

TEST(AdmissionValues, ConstantLinesAreCountedAlongAMiddleAxis) {
  // Shape 2, 2, 2: values depend on the first and the last index, not on the middle one.
  const std::vector<double> values = {0, 1, 0, 1, 2, 3, 2, 3};
  EXPECT_EQ(constant_lines(values, {2, 2, 2}, 1, 0), 1);
  EXPECT_EQ(constant_lines(values, {2, 2, 2}, 0, 0), 0);
  EXPECT_EQ(constant_lines(values, {2, 2, 2}, 2, 0), 0);
}

TEST(AdmissionValues, NarrowPrecisionsHaveTenBitsOfMantissa) {
  const double fine = 1 + 0x1p-11 + 0x1p-12;
  EXPECT_EQ(rounded_to_tf32(fine), 1 + 0x1p-10);
  EXPECT_EQ(rounded_to_half(fine), 1 + 0x1p-10);
  EXPECT_EQ(rounded_to_tf32(1e30), static_cast<double>(static_cast<float>(rounded_to_tf32(1e30))));
  EXPECT_EQ(rounded_to_tf32(-0.5), -0.5);
}

}  // namespace
}  // namespace hone::judge
