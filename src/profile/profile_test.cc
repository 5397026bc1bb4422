#include "profile/profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "judge/selftest.h"
#include "profile/tags.h"
#include "profile/vector_task.h"
#include "task/candidate_loader.h"
#include "task/task_loader.h"

namespace hone::profile {
namespace {

using testing::HasSubstr;

constexpr const char* plan =
    "/* hone 1\n[[launch]]\nkernel = \"twice\"\ngrid = [\"n / 64\"]\nblock = [64]\nargs = [\"x\", "
    "\"y\"]\n*/\n";
constexpr const char* cl_kernel =
    "__kernel void twice(__global const float* x, __global float* y) {\n"
    "  int i = get_global_id(0);\n  y[i] = x[i] + x[i];\n}\n";
constexpr const char* cuda_kernel =
    "extern \"C\" __global__ void twice(const float* x, float* y) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  y[i] = x[i] + x[i];\n}\n";

// One folder for all: the reference is compiled once.
class Profiles : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<base::TemporaryFolder>("hone-profile-test");
    ::setenv("HONE_HOME", (folder_->path() / "home").c_str(), 1);
    write_vector_task(folder_->path(), 2, {{"small", 4096}, {"large", 1048576}});
  }
  static void TearDownTestSuite() { folder_.reset(); }
  void SetUp() override {
    auto task = task::load_task(folder_->path());
    ASSERT_TRUE(task.ok());
    task_ = *task;
  }
  static judge::JudgeOptions quick() {
    judge::JudgeOptions options;
    options.guards = judge::without_clock();  // a busy machine must not decide what is tested
    options.sampling = judge::SamplingRule{7, 9, 0.05, 0.2};
    return options;
  }
  core::Candidate candidate(const std::string& code, core::Language language) {
    auto made = task::candidate_from(plan + code, language, "twice");
    EXPECT_TRUE(made.ok());
    return *made;
  }
  static std::optional<core::DeviceInfo> first(core::Language language, bool cpu) {
    for (const auto& backend : device::discover())
      if (backend.language == language)
        for (const auto& device : backend.devices)
          if (device.is_cpu == cpu) return device;
    return std::nullopt;
  }
  static std::unique_ptr<base::TemporaryFolder> folder_;
  core::Task task_;
};
std::unique_ptr<base::TemporaryFolder> Profiles::folder_;

TEST_F(Profiles, ACandidateOnTheFakeDeviceIsExplainedWithWhatThereIs) {
  judge::Judge judge(task_, device::find_device("fake:0"), quick());
  const auto made =
      profile(judge, candidate("kernel twice(buffer, buffer) scale=2\n", core::Language::fake),
              ProfileOptions{});
  ASSERT_TRUE(made) << (made.error().evidence.empty() ? "" : made.error().evidence.back().text);
  const MetricTable metrics(made->metrics);
  EXPECT_GT(*metrics.get(tag::time_call, {}), 0);
  EXPECT_GT(made->seconds, 0);
  EXPECT_FALSE(metrics.get(tag::occupancy, 0));
  EXPECT_NE(made->diagnosis.reason, "");
  ASSERT_FALSE(made->parts.empty());
  EXPECT_EQ(made->parts.front().name, "time");
  EXPECT_EQ(made->parts.back().name, "tools");
  for (const auto& metric : made->metrics)
    EXPECT_EQ(metric.case_name, made->case_name) << metric.tag;
}

TEST_F(Profiles, AGivenEvaluationChoosesTheSlowestCaseUnlessOneIsNamed) {
  judge::Judge judge(task_, device::find_device("fake:0"), quick());
  const auto twice = candidate("kernel twice(buffer, buffer) scale=2\n", core::Language::fake);
  ProfileOptions options;
  options.evaluation = judge.evaluate(twice, {});
  ASSERT_EQ(options.evaluation->outcome, core::Outcome::accepted);
  options.timed_just_now = true;
  options.evaluation->cases[0].median = 3000;
  options.evaluation->cases[1].median = 2000;
  const auto slowest = profile(judge, twice, options);
  ASSERT_TRUE(slowest);
  EXPECT_EQ(slowest->case_name, options.evaluation->cases[0].name);
  EXPECT_DOUBLE_EQ(slowest->seconds, 3000);
  options.case_name = options.evaluation->cases[1].name;
  const auto named = profile(judge, twice, options);
  ASSERT_TRUE(named);
  EXPECT_EQ(named->case_name, options.case_name);
  EXPECT_DOUBLE_EQ(named->seconds, 2000);
  options.timed_just_now = false;
  const auto timed_again = profile(judge, twice, options);
  ASSERT_TRUE(timed_again);
  EXPECT_LT(timed_again->seconds, 1000) << "a recorded time may be of another day";
  EXPECT_THAT(timed_again->notes, testing::Contains(HasSubstr("The recorded time of case")));
}

TEST_F(Profiles, ACaseThatIsOnlyCheckedIsTimedForTheProfile) {
  task_.cases[0].timed = false;
  judge::Judge judge(task_, device::find_device("fake:0"), quick());
  ProfileOptions options;
  options.case_name = task_.cases[0].name;
  const auto made = profile(
      judge, candidate("kernel twice(buffer, buffer) scale=2\n", core::Language::fake), options);
  ASSERT_TRUE(made) << (made.error().evidence.empty() ? "" : made.error().evidence.back().text);
  EXPECT_EQ(made->case_name, options.case_name);
  EXPECT_GT(made->seconds, 0);
  EXPECT_EQ(MetricTable(made->metrics).get(tag::time_call, {}), made->seconds);
  EXPECT_THAT(made->notes, testing::Contains(HasSubstr("only checks case")));
}

TEST_F(Profiles, WhatTheJudgeDoesNotAcceptComesBackAsItsEvidence) {
  judge::Judge judge(task_, device::find_device("fake:0"), quick());
  const auto made =
      profile(judge, candidate("kernel twice(buffer, buffer) scale=3\n", core::Language::fake),
              ProfileOptions{});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().outcome, core::Outcome::wrong);
}

TEST_F(Profiles, TheWholePathOnACpu) {
  const auto info = first(core::Language::opencl, true);
  if (!info) GTEST_SKIP() << "no OpenCL device on a CPU";
  judge::Judge judge(task_, *info, quick());
  ProfileOptions options;
  options.energy = true;
  options.case_name = "large";
  const auto made = profile(judge, candidate(cl_kernel, core::Language::opencl), options);
  ASSERT_TRUE(made) << (made.error().evidence.empty() ? "" : made.error().evidence.back().text);
  const MetricTable metrics(made->metrics);
  EXPECT_EQ(made->case_name, "large");
  EXPECT_GT(metrics.get(tag::cpu_launch_seconds, 0).value_or(0), 0)
      << testing::PrintToString(made->notes);
  EXPECT_EQ(metrics.get(tag::threads, 0), 64);
  EXPECT_THAT(made->notes, testing::Contains(HasSubstr("only NVIDIA's devices")));
  for (std::size_t i = 0; i < made->advice.size(); ++i)
    EXPECT_EQ(made->advice[i].id, "A" + std::to_string(i + 1)) << made->advice[i].tool;
}

TEST_F(Profiles, TheWholePathOnAnNvidiaGpu) {
  const auto info = first(core::Language::cuda, false);
  if (!info) GTEST_SKIP() << "no NVIDIA GPU";
  judge::Judge judge(task_, *info, quick());
  const auto made = profile(judge, candidate(cuda_kernel, core::Language::cuda), ProfileOptions{});
  ASSERT_TRUE(made) << (made.error().evidence.empty() ? "" : made.error().evidence.back().text);
  const MetricTable metrics(made->metrics);
  EXPECT_EQ(metrics.get(tag::system_launches, {}), 1) << testing::PrintToString(made->notes);
  // Counters may be root's alone: then every one of them says so.
  if (!metrics.get(tag::occupancy, 0)) {
    EXPECT_NE(metrics.missing(tag::occupancy, 0), "it was not measured");
    GTEST_SKIP() << metrics.missing(tag::occupancy, 0);
  }
  EXPECT_NEAR(*metrics.get(tag::load_sectors, 0), 4, 0.1);
  EXPECT_GT(*metrics.get(tag::dram_read, 0), 4e6);
  ASSERT_FALSE(made->hot_lines.empty()) << testing::PrintToString(made->notes);
  EXPECT_EQ(made->hot_lines[0].text, "y[i] = x[i] + x[i];");
}

}  // namespace
}  // namespace hone::profile
