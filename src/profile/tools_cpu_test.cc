// Tools for kernels on a CPU.
#include <gmock/gmock.h>

#include "profile/tool_test_support.h"

namespace hone::profile {
namespace {

using core::Severity;
using testing::HasSubstr;

Example on_a_cpu(double seconds) {
  Example example("work", {256, 1, 1}, {64, 1, 1});
  example.on_a_cpu().takes(seconds, 1e8, {{"f32", 1e10}});
  example.with(tag::cpu_vector_bits, 512)
      .with(tag::cpu_vector_code, 0.95)
      .with(tag::cpu_vector_width, 512)
      .with(tag::cpu_gathers, 0)
      .with(tag::cpu_loop_bits, 512)
      .with(tag::cpu_loop_loads, 0.6)
      .with(tag::cpu_loop_cycles, 0.6)
      .with(tag::cpu_loop_chain, 1)
      .with(tag::cpu_loop_gathers, 0)
      .with(tag::cpu_loop_strided, 0)
      .with(tag::cpu_loop_math, 0);
  return example.with(tag::cpu_local_bytes, 0).with(tag::cpu_barriers, 0).with(tag::cpu_units, 16);
}

TEST(CpuTools, AreSilentOnAKernelThatIsRight) {
  const auto stage = run_tools(on_a_cpu(50e-3).facts());
  EXPECT_TRUE(stage.left_out.empty());
  for (const auto& advice : stage.advice) ADD_FAILURE() << advice.tool << ": " << advice.evidence;
}

TEST(CpuTools, FindEachDefect) {
  const auto scalar = on_a_cpu(200e-3).with(tag::cpu_loop_bits, 32).ask("cpu-no-vectors");
  ASSERT_TRUE(scalar);
  EXPECT_EQ(scalar->severity, Severity::critical);
  EXPECT_THAT(scalar->recommendation, HasSubstr("float16"));
  const auto narrow = on_a_cpu(200e-3).with(tag::cpu_loop_bits, 128).ask("cpu-no-vectors");
  ASSERT_TRUE(narrow);
  EXPECT_EQ(narrow->title, "Vectors are narrower than the machine's");
  EXPECT_DOUBLE_EQ(narrow->gain.high, 75);
  EXPECT_FALSE(on_a_cpu(200e-3).with(tag::cpu_loop_bits, 256).ask("cpu-no-vectors"));
  EXPECT_TRUE(on_a_cpu(50e-3).with(tag::cpu_loop_gathers, 12).ask("cpu-gathers"));
  EXPECT_TRUE(on_a_cpu(50e-3).with(tag::cpu_loop_math, 0.5).ask("cpu-math-calls"));
  EXPECT_TRUE(on_a_cpu(50e-3)
                  .with(tag::cpu_local_bytes, 4096)
                  .with(tag::cpu_barriers, 2)
                  .ask("cpu-local-memory"));
  Example few("work", {3, 1, 1}, {64, 1, 1});
  few.on_a_cpu().takes(50e-3, 1e8).with(tag::cpu_units, 16);
  EXPECT_EQ(few.ask("cpu-work-groups")->title, "Fewer work-groups than cores");
  Example tiny("work", {1 << 20, 1, 1}, {1, 1, 1});
  tiny.on_a_cpu().takes(20e-3, 1e8).empty(10e-9, 0).with(tag::cpu_units, 16);
  const auto small = tiny.ask("cpu-work-groups");
  ASSERT_TRUE(small);
  EXPECT_EQ(small->title, "Work-groups are too small");
  EXPECT_THAT(small->evidence, HasSubstr("10.5 ms"));
}

TEST(CpuTools, WorkGroupsCostWhatWasMeasuredAndNothingWhereItWasNot) {
  Example many("work", {1 << 20, 1, 1}, {64, 1, 1});
  many.on_a_cpu().takes(20e-3, 1e7).with(tag::cpu_units, 16);
  EXPECT_FALSE(many.ask("cpu-work-groups"));
  EXPECT_FALSE(many.empty(1e-9, 0).ask("cpu-work-groups"));  // a twentieth
  EXPECT_TRUE(many.empty(10e-9, 0).ask("cpu-work-groups"));
  EXPECT_FALSE(many.empty(1e-6, 0).ask("cpu-work-groups"));  // the launch itself refutes it
}

TEST(CpuTools, NumbersThatLieRowsApartAreForGathersAndNotForVectors) {
  const auto rows = on_a_cpu(200e-3).with(tag::cpu_loop_bits, 32).with(tag::cpu_loop_strided, 1);
  ASSERT_TRUE(rows.ask("cpu-gathers"));
  EXPECT_THAT(rows.ask("cpu-gathers")->evidence, HasSubstr("100 %"));
  EXPECT_FALSE(rows.ask("cpu-no-vectors"));
  EXPECT_FALSE(on_a_cpu(200e-3).with(tag::cpu_loop_strided, 0.5).ask("cpu-gathers"));
}

TEST(CpuTools, CodeThatIsNearlyAllOnVectorsIsNotScalarByItsEdges) {
  EXPECT_FALSE(on_a_cpu(200e-3)
                   .with(tag::cpu_loop_bits, 32)
                   .with(tag::cpu_vector_code, 0.9994)
                   .ask("cpu-no-vectors"));
}

TEST(CpuTools, NameTheLinesThatTheInnerLoopsComeFrom) {
  auto sum = on_a_cpu(200e-3)
                 .with(tag::cpu_loop_chain, 4)
                 .source(
                     "float part(const float* x) {\n  for (;; c += STEP)\n    s += "
                     "*x++;\n}\n__kernel void work() {\n  x += row;\n}\n");
  EXPECT_TRUE(sum.ask("cpu-chain")->lines.empty());  // without line information nothing is named
  sum.code(2, 0.3).code(3, 0.65).code(6, 0.05);
  EXPECT_THAT(sum.ask("cpu-chain")->lines, testing::ElementsAre(3));
  const auto scalar = sum.with(tag::cpu_loop_bits, 32).ask("cpu-no-vectors");
  EXPECT_THAT(scalar->lines, testing::ElementsAre(3, 2));
}

TEST(CpuTools, LoadsOfSingleSumsAreForRegistersAndChainsWithoutLoadsForSums) {
  const auto product = on_a_cpu(200e-3)
                           .with(tag::cpu_loop_loads, 2)
                           .with(tag::cpu_loop_cycles, 4)
                           .with(tag::cpu_loop_chain, 2.7);
  const auto reuse = product.ask("cpu-register-reuse");
  ASSERT_TRUE(reuse);
  EXPECT_DOUBLE_EQ(reuse->gain.high, 87.5);
  EXPECT_FALSE(product.ask("cpu-chain"));
  auto sum = on_a_cpu(200e-3).with(tag::cpu_loop_chain, 4);
  EXPECT_FALSE(sum.ask("cpu-register-reuse"));
  ASSERT_TRUE(sum.ask("cpu-chain"));
  EXPECT_DOUBLE_EQ(sum.ask("cpu-chain")->gain.high, 75);
}

TEST(CpuTools, AreSilentNearTheRoofline) {
  auto fast = on_a_cpu(12e-3)
                  .with(tag::cpu_loop_bits, 32)
                  .with(tag::cpu_loop_loads, 3)
                  .with(tag::cpu_loop_chain, 4)
                  .with(tag::cpu_loop_math, 0.9)
                  .with(tag::cpu_loop_gathers, 3)
                  .with(tag::cpu_local_bytes, 64)
                  .with(tag::cpu_barriers, 1);
  for (const auto* tool : {"cpu-no-vectors", "cpu-gathers", "cpu-local-memory",
                           "cpu-register-reuse", "cpu-chain", "cpu-math-calls"})
    EXPECT_FALSE(fast.ask(tool)) << tool;
}

}  // namespace
}  // namespace hone::profile
