// What decides a class of precision, without a device.
#include <gtest/gtest.h>

#include "judge/pool.h"
#include "judge/precision/bounds.h"
#include "judge/precision/placing.h"
#include "judge/precision/tensor_instructions.h"

namespace hone::judge {
namespace {

TEST(Classes, AnErrorIsNoWorseWithinWhatTheOrderOfSumsMoves) {
  const ErrorPair eager{1e-5, 1e-6};
  EXPECT_TRUE(no_worse({1e-5, 1e-6}, eager, slack_of_all));
  EXPECT_TRUE(no_worse({1.9e-5, 1.05e-6}, eager, slack_of_all));
  EXPECT_FALSE(no_worse({1e-5, 1.2e-6}, eager, slack_of_all));
  EXPECT_FALSE(no_worse({2.1e-5, 1e-6}, eager, slack_of_all));
}

TEST(Classes, BelowAUnitInTheLastPlaceNothingIsWorse) {
  EXPECT_TRUE(no_worse({5e-8, 5e-8}, {0, 0}, slack_of_all));
  EXPECT_FALSE(no_worse({1e-3, 1e-4}, {0, 0}, slack_of_all));
}

Entry entry_with(std::vector<ErrorPair> fp32, std::vector<ErrorPair> tf32) {
  Entry entry;
  entry.fp32 = std::move(fp32);
  entry.tf32 = std::move(tf32);
  return entry;
}

TEST(Classes, EachOutputIsHeldAgainstItsOwn) {
  const Entry entry = entry_with({{0, 0}, {1e-5, 1e-6}}, {{0, 0}, {1e-3, 3e-4}});
  const auto in = [&](const ErrorPair& first, const ErrorPair& second) {
    ClassTally calls;
    calls.add({first, second}, entry, 0);
    return std::pair(calls.placed().fp32, calls.placed().tf32);
  };
  EXPECT_EQ(in({0, 0}, {1e-5, 1e-6}), std::pair(true, true));
  EXPECT_EQ(in({0, 0}, {1e-3, 3e-4}), std::pair(false, true));
  EXPECT_EQ(in({0, 0}, {8e-3, 2e-3}), std::pair(false, false));
  EXPECT_EQ(in({1e-5, 1e-6}, {1e-5, 1e-6}), std::pair(false, false)) << "the first is exact";
}

TEST(Classes, OneCallOfManyInANarrowerPrecisionDecides) {
  const Entry entry = entry_with({{1e-5, 1e-6}}, {{1e-3, 3e-4}});
  ClassTally calls;
  for (int i = 0; i < 1000; ++i) calls.add({{1e-5, 1e-6}}, entry, 0);
  EXPECT_TRUE(calls.placed().fp32);
  calls.add({{1e-3, 3e-4}}, entry, 0);
  EXPECT_FALSE(calls.placed().fp32);
  EXPECT_TRUE(calls.placed().tf32);
}

TEST(Classes, ErrorsThatVaryFromInputToInputAreTakenTogether) {
  const Entry entry = entry_with({{1e-5, 1e-6}}, {{1e-3, 3e-4}});
  ClassTally calls;
  for (const double rms : {1.3e-6, 0.8e-6, 0.9e-6, 1.1e-6}) calls.add({{1e-5, rms}}, entry, 0);
  EXPECT_TRUE(calls.placed().fp32) << "one is 30 % worse, all together are not";
  for (int i = 0; i < 8; ++i) calls.add({{1e-5, 1.3e-6}}, entry, 0);
  EXPECT_FALSE(calls.placed().fp32) << "always 30 % worse is not chance";
}

TEST(Classes, TheBenchmarksOwnCheckIsAboutItsOwnDraws) {
  const Entry entry = entry_with({{1e-5, 1e-6}}, {{1e-3, 3e-4}});
  ClassTally calls;
  calls.add({{1e-5, 1e-6}}, entry, 0);
  EXPECT_EQ(calls.refused(), 0);
  calls.add({{1e-5, 1e-6}}, entry, 7);
  calls.add({{1e-5, 1e-6}}, entry, 0);
  EXPECT_EQ(calls.refused(), 7);
}

core::Output output_of(core::DType dtype, core::Tolerance tolerance) {
  core::Output output;
  output.dtype = dtype;
  output.tolerance = tolerance;
  return output;
}

TEST(Bounds, Tf32IsAdmittedAsTorchHasItAndBfloat16IsNot) {
  const auto output = output_of(core::DType::f32, {1e-4, 2e-5});
  const ErrorPair tf32{1.3e-3, 2.7e-4}, bf16{8 * 1.3e-3, 8 * 2.7e-4};
  const Bounds bounds = bounds_for(output, 1.2e-7, tf32);
  EXPECT_TRUE(bounds.max_by_tf32 && bounds.rms_by_tf32 && bounds.narrow_by_tf32);
  EXPECT_TRUE(tf32.max < bounds.max && tf32.rms < bounds.rms && tf32.rms < bounds.narrow);
  EXPECT_TRUE(bf16.max > bounds.max && bf16.rms > bounds.rms && bf16.rms > bounds.narrow);
}

TEST(Bounds, WithoutProductsSinglePrecisionStays) {
  const auto output = output_of(core::DType::f32, {1e-4, 2e-5});
  const Bounds bounds = bounds_for(output, 2e-7, {6e-7, 2e-7});
  EXPECT_EQ(bounds.max, 1e-4);
  EXPECT_EQ(bounds.rms, 2e-5);
  EXPECT_EQ(bounds.narrow, precision_factor * 2e-7);
  EXPECT_FALSE(bounds.max_by_tf32 || bounds.rms_by_tf32 || bounds.narrow_by_tf32);
}

TEST(Bounds, NoErrorOfTorchsMakesRoomForZeros) {
  const Bounds bounds = bounds_for(output_of(core::DType::f32, {1e-4, 2e-5}), 1e-6, {3, 0.5});
  EXPECT_LT(bounds.max, 0.5);
  EXPECT_LT(bounds.rms, 0.1);
  EXPECT_LT(bounds.narrow, 0.1);
}

TEST(Bounds, ExactOutputsStayExact) {
  const auto output = output_of(core::DType::i64, {0, 0});
  EXPECT_EQ(honest_rms(output, 0.5), 0);
  EXPECT_EQ(bounds_for(output, 0, {1, 0.5}).max, 0) << "though TF32 may choose another index";
}

TEST(Classes, NamesOfKernelsTellWhatTheyMultiply) {
  EXPECT_EQ(precision_in_name("sm90_xmma_gemm_f32f32_tf32f32_f32_nn_n_tilesize128x128x32"), "tf32");
  EXPECT_EQ(precision_in_name("ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_tn"), "bf16");
  EXPECT_EQ(precision_in_name("ampere_fp16_s16816gemm_fp16_128x128"), "f16");
  EXPECT_EQ(precision_in_name("ampere_sgemm_128x64_nn"), "");
  device::Activity product, rest;
  product.name = "cutlass_80_tensorop_s1688gemm_256x64_16x4_nn_align4";
  product.end = 3;
  rest.name = "relu";
  rest.end = 1;
  EXPECT_EQ(shares_by_precision({product, rest}), (std::map<std::string, double>{{"tf32", 0.75}}));
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
