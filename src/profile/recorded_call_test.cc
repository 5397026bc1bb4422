#include "profile/recorded_call.h"

#include <gmock/gmock.h>

#include "profile/explain.h"
#include "profile/tool_test_support.h"

namespace hone::profile {
namespace {

using device::Activity;
using Kind = Activity::Kind;
using testing::AllOf;
using testing::HasSubstr;

constexpr double us = 1e-6;

// As the worker in Python tells it: everything is a kernel, and launches are not known.
Activity ran(double from, double to, std::string name) {
  return {Kind::kernel, from * us, to * us, -1, 0, std::move(name)};
}

const char* relu = "void at::native::vectorized_elementwise_kernel<4, relu>(int)";
std::vector<Activity> chain() {
  return {ran(30, 40, relu), ran(0, 20, "cublas_gemm"), ran(50, 60, relu), ran(62, 92, "my_kernel"),
          ran(93, 95, "Memset")};
}

TEST(RecordedCall, NamesItsKernelsInTheOrderOfTheirFirstRun) {
  const auto call = recorded_call(chain(), 1e-4);
  const MetricTable metrics(call.metrics);
  EXPECT_DOUBLE_EQ(*metrics.get(std::string(tag::call_kernel) + "cublas_gemm", 0), 20 * us);
  EXPECT_DOUBLE_EQ(*metrics.get(std::string(tag::call_kernel) + relu, 1), 20 * us);
  EXPECT_DOUBLE_EQ(*metrics.get(tag::repeats, 1), 2);
  EXPECT_DOUBLE_EQ(*metrics.get(tag::call_library, 0), 1);
  EXPECT_DOUBLE_EQ(*metrics.get(tag::call_library, 2), 0);
  EXPECT_NEAR(*metrics.get(tag::system_kernels, {}), 72 * us, 1e-12);
  EXPECT_NEAR(*metrics.get(tag::system_gaps, {}), 23 * us, 1e-12);
  EXPECT_NEAR(*metrics.get(tag::system_copies, {}), 2 * us, 1e-12);
  ASSERT_EQ(call.notes.size(), 1u);
  EXPECT_THAT(call.notes[0],
              AllOf(HasSubstr("`cublas_gemm` 20"), HasSubstr("later `my_kernel` 30")));
  const auto launches = launches_in(call.metrics);
  ASSERT_EQ(launches.size(), 5u);
  EXPECT_EQ(launches[3].kernel, "my_kernel");
  EXPECT_EQ(launches[3].plan_index, 2);
}

TEST(RecordedCall, BearsWhateverACandidateRecords) {
  std::vector<Activity> wild{ran(5, 1, "backwards"), ran(0, 1, "`tick`\n" + std::string(500, 'x')),
                             ran(2, 3, "")};
  for (int i = 0; i < 300; ++i) wild.push_back(ran(10 + i, 11 + i, "kernel" + std::to_string(i)));
  const auto call = recorded_call(wild, 0);
  for (const auto& metric : call.metrics) EXPECT_LT(metric.tag.size(), 200u);
  EXPECT_LT(launches_of([&] {
              Facts facts;
              facts.plan.launches = launches_in(call.metrics);
              return facts;
            }())
                .size(),
            60u);
  EXPECT_LT(call.notes.at(0).size(), 3000u);
  const auto nothing = recorded_call({}, 0);
  EXPECT_EQ(MetricTable(nothing.metrics).missing(tag::system_span, {}), "no kernel was recorded");
  EXPECT_TRUE(launches_in(nothing.metrics).empty());
}

// What tools say of such a call that takes so long by the judge's clock.
core::Profile explained(double seconds) {
  static core::Task task;
  static core::Case which;
  static core::Candidate candidate;
  candidate.language = core::Language::python;
  Facts facts = Example().facts();
  facts.task = &task;
  facts.which = &which;
  facts.candidate = &candidate;
  core::Profile profile;
  profile.metrics = recorded_call(chain(), 1e-4).metrics;
  profile.seconds = seconds;
  facts.plan.launches = launches_in(profile.metrics);
  explain(facts, {}, {}, profile);
  return profile;
}

TEST(RecordedCall, IsExplainedByItsKernelsAndTheTimeBetweenThem) {
  const auto busy = explained(75 * us);
  EXPECT_THAT(busy.diagnosis.reason,
              AllOf(HasSubstr("`my_kernel` 42 %"), HasSubstr("in kernels of libraries")));
  ASSERT_EQ(busy.advice.size(), 1u);
  EXPECT_EQ(busy.advice[0].tool, "library-passes");
  EXPECT_NEAR(busy.advice[0].gain.high, 100 * 22. / 75, 1);
  const auto idle = explained(300 * us);
  EXPECT_EQ(idle.diagnosis.bound, core::Bound::launch);
  ASSERT_FALSE(idle.advice.empty());
  EXPECT_EQ(idle.advice[0].tool, "host-time");
  for (const auto& left : idle.left_out)
    EXPECT_THAT(left.tool, testing::AnyOf("excess-bytes", "power-limited"));
}

TEST(RecordedCall, OfAPlanKeepsItsLaunches) {
  core::ResolvedPlan plan;
  for (const char* name : {"aten.mm", "after"}) {
    core::ResolvedLaunch launch;
    launch.kernel = name;
    launch.plan_index = static_cast<int>(plan.launches.size());
    launch.is_operation = plan.launches.empty();
    plan.launches.push_back(launch);
  }
  const auto call = recorded_plan(
      {{Kind::kernel, 0, 3e-5, 0, 0, ""}, {Kind::kernel, 3e-5, 4e-5, 1, 0, ""}}, plan, 1e-4);
  const MetricTable metrics(call.metrics);
  EXPECT_DOUBLE_EQ(*metrics.get(std::string(tag::call_kernel) + "aten.mm", 0), 3e-5);
  EXPECT_DOUBLE_EQ(*metrics.get(tag::call_library, 0), 1);
  EXPECT_DOUBLE_EQ(*metrics.get(tag::call_library, 1), 0);
}

}  // namespace
}  // namespace hone::profile
