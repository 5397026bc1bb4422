// What decides a class of precision, without a device.
#include <gtest/gtest.h>

#include "judge/own_inputs.h"
#include "judge/tensor_instructions.h"

namespace hone::judge {
namespace {

TEST(Classes, AnErrorIsNoWorseWithinWhatTheOrderOfSumsMoves) {
  const ErrorPair eager{1e-5, 1e-6};
  EXPECT_TRUE(no_worse({1e-5, 1e-6}, eager));
  EXPECT_TRUE(no_worse({1.9e-5, 1.05e-6}, eager));
  EXPECT_FALSE(no_worse({1e-5, 1.2e-6}, eager));
  EXPECT_FALSE(no_worse({2.1e-5, 1e-6}, eager));
}

TEST(Classes, BelowAUnitInTheLastPlaceNothingIsWorse) {
  EXPECT_TRUE(no_worse({5e-8, 5e-8}, {0, 0}));
  EXPECT_FALSE(no_worse({1e-3, 1e-4}, {0, 0}));
}

TEST(Classes, TensorInstructionsAreCountedByTheirOperands) {
  const auto found = tensor_instructions(
      "        /*0080*/                   HGMMA.64x256x8.F32.TF32 R24, gdesc[UR4], !UPT ;\n"
      "        /*0090*/                   HMMA.16816.F32.BF16 R4, R8, R2, RZ ;\n"
      "        /*00a0*/              @P0  HMMA.16816.F32 R4, R8, R2, RZ ;\n"
      "        /*00b0*/                   FFMA R0, R1, R2, R3 ;\n"
      "        /*00c0*/                   QGMMA.64x8x32.F32.E4M3.E4M3 R24, gdesc[UR4] ;\n"
      ".text.my_HMMA.kernel:\n");
  EXPECT_EQ(found, (std::map<std::string, int>{{"tf32", 1}, {"bf16", 1}, {"f16", 1}, {"f8", 1}}));
}

}  // namespace
}  // namespace hone::judge
