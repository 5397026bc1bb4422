#include "profile/classify.h"

#include <gmock/gmock.h>

#include "profile/tool_test_support.h"

namespace hone::profile {
namespace {

using core::Bound;
using testing::HasSubstr;

Example measured(double compute, double memory, double bytes = 1e8, double flops = 1e9) {
  Example example;
  example.takes(1e-3, bytes, {{"f32", flops}});
  return example.with(tag::compute_fraction, compute)
      .with(tag::memory_fraction, memory)
      .with(tag::issue_fraction, compute / 2);
}

TEST(Classify, TheoryAndMeasurementAgree) {
  const auto memory = measured(0.2, 0.85).facts().diagnosis;
  EXPECT_EQ(memory.bound, Bound::memory);
  EXPECT_EQ(memory.theory, Bound::memory);
  EXPECT_EQ(memory.measured, Bound::memory);
  EXPECT_EQ(memory.disagreement, "");
  EXPECT_THAT(memory.reason, HasSubstr("measured ridge of 14.2"));
  EXPECT_EQ(measured(0.85, 0.3, 1e6, 3e10).facts().diagnosis.bound, Bound::compute);
}

TEST(Classify, TheoryDecidesAndTheDisagreementIsTold) {
  const auto wasted_bytes = measured(0.2, 0.9, 1e6, 3e10).facts().diagnosis;
  EXPECT_EQ(wasted_bytes.bound, Bound::compute);
  EXPECT_EQ(wasted_bytes.measured, Bound::memory);
  EXPECT_THAT(wasted_bytes.disagreement, HasSubstr("memory units are 90 % busy"));
  const auto wasted_instructions = measured(0.9, 0.3).facts().diagnosis;
  EXPECT_EQ(wasted_instructions.bound, Bound::memory);
  EXPECT_THAT(wasted_instructions.disagreement,
              HasSubstr("instructions are spent that the task does not need"));
}

TEST(Classify, TheorySaysNothingWhereOperationsAreNotCounted) {
  core::Task task;
  task.reference_py = "class Model: ...";
  auto facts = measured(0.85, 0.3).facts();
  facts.task = &task;
  facts.roofline.flops_by_kind.clear();
  facts.roofline.flops = 0;
  const auto diagnosis = classify(facts);
  EXPECT_FALSE(diagnosis.theory);
  EXPECT_EQ(diagnosis.bound, Bound::compute) << "as measured";
  EXPECT_THAT(diagnosis.reason, HasSubstr("operations are not counted"));
}

TEST(Classify, TheoryNamesOperatorsThatAreNotCounted) {
  core::Task task;
  task.reference_py = "class Model: ...";
  task.work.uncounted = {"aten._fft_r2c", "my.operation"};
  auto facts = measured(0.2, 0.85).facts();  // memory by what is counted; the rest may be more
  facts.task = &task;
  const auto open = classify(facts);
  EXPECT_FALSE(open.theory);
  EXPECT_EQ(open.bound, Bound::memory) << "as measured";
  EXPECT_THAT(open.reason, HasSubstr("Operations of aten._fft_r2c, my.operation are not in that"));
  facts = measured(0.85, 0.3, 1e6, 3e10).facts();
  facts.task = &task;
  EXPECT_EQ(classify(facts).theory, Bound::compute) << "what is counted decides already";
}

TEST(Classify, ACountOfZeroIsMemory) {
  core::Task task;
  task.reference_py = "class Model: ...";
  auto facts = measured(0.1, 0.85, 1e8, 0).facts();
  facts.task = &task;
  const auto diagnosis = classify(facts);
  EXPECT_EQ(diagnosis.theory, Bound::memory);
  EXPECT_THAT(diagnosis.reason, HasSubstr("no arithmetic to speak of"));
}

TEST(Classify, NothingBusyIsLatency) {
  const auto diagnosis = measured(0.43, 0.5).facts().diagnosis;
  EXPECT_EQ(diagnosis.bound, Bound::latency);
  EXPECT_EQ(diagnosis.theory, Bound::memory);
  EXPECT_THAT(diagnosis.reason, HasSubstr("nothing is busier than 60 %"));
}

TEST(Classify, TwoLimitsCloseTogetherAreMixed) {
  EXPECT_EQ(measured(0.8, 0.85, 3e8, 4e9).facts().diagnosis.bound, Bound::mixed);
}

TEST(Classify, DramCountsByItsMeasuredCeiling) {
  auto example = measured(0.1, 0.55);  // of the pins' rate, which nothing reaches
  example.with(tag::kernel_seconds, 1e-3).with(tag::dram_read, 2e9).with(tag::dram_written, 0.9e9);
  EXPECT_EQ(example.facts().diagnosis.measured, Bound::memory);
}

TEST(Classify, LaunchesWeighByTheirTime) {
  auto example = measured(0.9, 0.2, 1e6, 3e10);
  example.launch("second", {132, 1, 1}, {256, 1, 1});
  example.with(tag::compute_fraction, 0.05, 1).with(tag::memory_fraction, 0.9, 1);
  example.with(tag::system_launch_seconds, 9e-4, 0).with(tag::system_launch_seconds, 1e-4, 1);
  EXPECT_EQ(example.facts().diagnosis.measured, Bound::compute);
  example.with(tag::system_launch_seconds, 1e-5, 0).with(tag::system_launch_seconds, 9.9e-4, 1);
  EXPECT_EQ(example.facts().diagnosis.measured, Bound::memory);
}

TEST(Classify, GapsBetweenLaunchesAreLaunch) {
  auto example = measured(0.9, 0.2);
  example.launch("second", {132, 1, 1}, {256, 1, 1})
      .of_call(tag::system_span, 1e-4)
      .of_call(tag::system_kernels, 6e-5);
  EXPECT_EQ(example.facts().diagnosis.bound, Bound::launch);
  EXPECT_EQ(example.of_call(tag::system_kernels, 9e-5).facts().diagnosis.bound, Bound::memory);
}

TEST(Classify, ASingleTinyLaunchIsLaunch) {
  auto example = measured(0.02, 0.02);
  example.takes(4e-6, 1e4).of_call(tag::system_launch_cost, 2.5e-6);
  EXPECT_EQ(example.facts().diagnosis.bound, Bound::launch);
}

TEST(Classify, WithoutCountersTheClockSpeaks) {
  Example cpu;
  cpu.on_a_cpu().takes(3e-3, 1e8);
  EXPECT_EQ(cpu.facts().diagnosis.bound, Bound::memory);
  EXPECT_EQ(cpu.facts().diagnosis.measured, Bound::memory);
  cpu.takes(25e-3, 1e8);
  EXPECT_EQ(cpu.facts().diagnosis.bound, Bound::memory);
  EXPECT_FALSE(cpu.facts().diagnosis.measured);
  EXPECT_THAT(cpu.facts().diagnosis.reason, HasSubstr("reaches 10 % of the memory ceiling"));
  EXPECT_THAT(cpu.facts().diagnosis.reason, HasSubstr("by theory alone"));
}

TEST(Classify, FarBelowBothCeilingsACpuWaitsForNeither) {
  Example cpu;
  cpu.on_a_cpu().takes(0.5, 1e8, {{"f32", 1e10}}).with(tag::cpu_vector_bits, 512);
  EXPECT_EQ(cpu.facts().diagnosis.theory, Bound::compute);
  EXPECT_EQ(cpu.facts().diagnosis.bound, Bound::latency);
  EXPECT_THAT(cpu.facts().diagnosis.reason, HasSubstr("waits for neither"));
  // A sixteenth of 512 bits, and no multiply-add: one number at a time could be 1/32 of the
  // ceiling.
  cpu.takes(0.3, 1e8, {{"f32", 1e10}});
  EXPECT_EQ(cpu.facts().diagnosis.bound, Bound::compute);
  // On vectors as wide as the machine's only half of the ceiling is explained by operations that
  // are not asked for.
  EXPECT_EQ(cpu.with(tag::cpu_loop_bits, 512).facts().diagnosis.bound, Bound::latency);
  // A line for each number: 1/16 of the memory's.
  cpu.takes(0.5, 1e8 * 16, {{"f32", 1e10}});
  EXPECT_EQ(cpu.facts().diagnosis.bound, Bound::memory);
}

TEST(Classify, ACallThatIsHardlyLongerThanAnEmptyOneIsLaunch) {
  Example cpu;
  cpu.on_a_cpu().takes(40e-6, 8);
  EXPECT_EQ(cpu.facts().diagnosis.bound, Bound::latency);  // what an empty one takes is not known
  cpu.empty(0, 25e-6);
  EXPECT_EQ(cpu.facts().diagnosis.bound, Bound::launch);
  EXPECT_THAT(cpu.facts().diagnosis.reason, HasSubstr("25 µs"));
  EXPECT_FALSE(cpu.with(tag::cpu_loop_bits, 32)
                   .with(tag::cpu_vector_bits, 512)
                   .empty(0, 39e-6)
                   .ask("cpu-no-vectors"));
  cpu.empty(0, 25e-6);
  EXPECT_NE(cpu.takes(60e-6, 1e6).facts().diagnosis.bound, Bound::launch);
  EXPECT_EQ(cpu.with(tag::cpu_launch_seconds, 5e-6).facts().diagnosis.bound, Bound::launch);
}

TEST(Classify, SaysWhatIsNotKnown) {
  Example bare;
  const auto diagnosis = bare.facts().diagnosis;
  EXPECT_EQ(diagnosis.bound, Bound::mixed);
  EXPECT_FALSE(diagnosis.theory);
  EXPECT_THAT(diagnosis.reason, HasSubstr("Nothing tells what limits it."));
}

}  // namespace
TEST(Classify, SaysThatABeatenCeilingWantsToBeMeasuredAgain) {
  auto example = Example().on_a_cpu().takes(10e-3, 1e9);  // 25 ms at the ceiling of 40 GB/s
  const auto facts = example.facts();
  EXPECT_EQ(facts.diagnosis.bound, core::Bound::memory);
  EXPECT_THAT(facts.diagnosis.reason, testing::HasSubstr("hone doctor --measure"));
  EXPECT_EQ(floor_fraction(facts), 0) << "no tool takes it for near its limit";
}

}  // namespace hone::profile
