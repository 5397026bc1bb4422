#include "profile/build_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "profile/facts.h"

namespace hone::profile {
namespace {

using testing::HasSubstr;

constexpr const char* nvrtc_log =
    "f.cu(3): warning #177-D: variable \"k\" was declared but never referenced\n\n"
    "ptxas info    : 0 bytes gmem, 16 bytes cmem[4]\n"
    "ptxas info    : Compiling entry function 'f' for 'sm_90a'\n"
    "ptxas info    : Function properties for f\n"
    "ptxas         .     384 bytes stack frame, 520 bytes spill stores, 1044 bytes spill loads\n"
    "ptxas info    : Used 32 registers, used 1 barriers, 384 bytes cumulative stack size, 4096 "
    "bytes smem\n"
    "ptxas info    : Compile time = 10.805 ms\n"
    "ptxas info    : Compiling entry function 'g' for 'sm_90a'\n"
    "ptxas info    : Function properties for g\n"
    "ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
    "ptxas info    : Used 12 registers, used 0 barriers\n";
core::ResolvedPlan plan_of(const std::vector<std::string>& kernels) {
  core::ResolvedPlan plan;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    core::ResolvedLaunch launch;
    launch.kernel = kernels[i];
    launch.plan_index = static_cast<int>(i);
    launch.grid = {4, 3, 1};
    launch.block = {32, 8, 1};
    launch.shared = 1024;
    plan.launches.push_back(launch);
  }
  return plan;
}

TEST(BuildLog, LivesThroughAnyLog) {
  const std::string whole = nvrtc_log;
  for (std::size_t length = 0; length <= whole.size(); length += 7)
    EXPECT_EQ(collect_build({}, plan_of({"f"}), whole.substr(0, length)).metrics.size(), 6u);
}

TEST(BuildLog, GivesEachLaunchItsKernelsFigures) {
  const MetricTable table(collect_build({}, plan_of({"g", "f"}), nvrtc_log).metrics);
  EXPECT_EQ(table.get("build.registers", 0), 12);
  EXPECT_EQ(table.get("build.registers", 1), 32);
  EXPECT_EQ(table.get("build.spill_loads", 1), 1044);
  EXPECT_EQ(table.get("build.spill_stores", 1), 520);
  EXPECT_EQ(table.get("build.stack", 1), 384);
  EXPECT_EQ(table.get("build.shared", 1), 4096);
  EXPECT_EQ(table.get("build.spill_loads", 0), 0);
}

TEST(BuildLog, AsksTheLoadedFunctionWhereTheLogIsSilent) {
  device::KernelInfo info{
      .name = "f", .registers = 24, .local_bytes = 16, .shared_bytes = 128, .constant_bytes = 0};
  const MetricTable table(collect_build({info}, plan_of({"f"}), "").metrics);
  EXPECT_EQ(table.get("build.registers", 0), 24);
  EXPECT_EQ(table.get("build.stack", 0), 16);
  EXPECT_EQ(table.get("build.shared", 0), 128);
  EXPECT_FALSE(table.get("build.spill_loads", 0));
  EXPECT_THAT(table.missing("build.spill_loads", 0), HasSubstr("compiler's log"));
}

TEST(BuildLog, TellsTheLaunchesGeometry) {
  auto plan = plan_of({"f", "g"});
  plan.launches.push_back(plan.launches[1]);
  plan.launches[0].cluster = {2, 1, 1};
  const MetricTable table(collect_launches(plan).metrics);
  EXPECT_EQ(table.get("launch.blocks", 0), 12);
  EXPECT_EQ(table.get("launch.threads", 0), 256);
  EXPECT_EQ(table.get("launch.shared", 0), 1024);
  EXPECT_EQ(table.get("launch.cluster", 0), 2);
  EXPECT_EQ(table.get("launch.cluster", 1), 1);
  EXPECT_EQ(table.get("launch.repeats", 0), 1);
  EXPECT_EQ(table.get("launch.repeats", 1), 2);
}

}  // namespace
}  // namespace hone::profile
