// The way round Nsight Compute, with a script in its place: it starts the worker as ncu does and
// leaves a recorded report.
#include "profile/ncu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <memory>

#include "device/device.h"
#include "profile/facts.h"
#include "profile/tags.h"
#include "profile/vector_task.h"
#include "task/candidate_loader.h"
#include "task/task_loader.h"

namespace hone::profile {
namespace {

using testing::HasSubstr;

constexpr const char* candidate_text =
    "/* hone 1\n[[launch]]\nkernel = \"strided\"\ngrid = [1]\nblock = [1]\nargs = [\"x\", \"y\"]\n"
    "[[launch]]\nkernel = \"atomics\"\ngrid = [1]\nblock = [1]\nargs = [\"x\", \"y\"]\n*/\n"
    "kernel strided(buffer, buffer) copy\nkernel atomics(buffer, buffer) copy\n";

// The worker's command is the last two words; $log is where --log-file points.
constexpr const char* script_head = R"(#!/bin/bash
data=')" HONE_TEST_DATA R"(/profile'
words=("$@")
for ((i = 0; i < $#; i++)); do [ "${words[i]}" = --log-file ] && log="${words[i+1]}"; done
worker() { "${words[$#-2]}" "${words[$#-1]}"; }
)";

// One folder for all: the reference is compiled once.
class FakeNcu : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<base::TemporaryFolder>("hone-ncu-test");
    write_vector_task(folder_->path(), 1, {{"timed", 4096}});
  }
  static void TearDownTestSuite() { folder_.reset(); }
  void SetUp() override {
    ::setenv("HONE_HOME", (folder_->path() / "home").c_str(), 1);
    const char* path = std::getenv("PATH");
    path_ = path == nullptr ? "" : path;
    ::setenv("PATH", (folder_->path().string() + ":" + path_).c_str(), 1);
  }
  void TearDown() override { ::setenv("PATH", path_.c_str(), 1); }

  KernelProfile profiled(const std::string& script, bool source) {
    const auto place = folder_->path() / "ncu";
    std::ofstream(place) << script_head << script;
    ::chmod(place.c_str(), 0755);
    const auto task = task::load_task(folder_->path());
    EXPECT_TRUE(task.ok());
    judge::Judge judge(*task, device::find_device("fake:0"), {});
    const auto candidate = task::candidate_from(candidate_text, core::Language::fake, "two.fake");
    EXPECT_TRUE(candidate.ok());
    core::Evaluation scratch;
    auto ready = judge::load(judge, *candidate, {}, scratch);
    EXPECT_TRUE(ready);
    const auto& which = judge.task().cases.front();
    const auto plan = judge::fitted_plan(judge, *ready, which);
    EXPECT_TRUE(plan.ok()) << plan.error();
    KernelProfiler profiler(judge, source);
    ProfilingSetup setup(judge, *candidate, ready->point, which, *plan);
    const auto built = build_for(judge, *candidate, ready->point, source);
    EXPECT_TRUE(built.ok());
    profiler.measure(setup, *built, {0, 1});
    return profiler.read(setup, *built, {0, 1});
  }

  static std::unique_ptr<base::TemporaryFolder> folder_;
  std::string path_;
};
std::unique_ptr<base::TemporaryFolder> FakeNcu::folder_;

TEST_F(FakeNcu, NumbersOfEachLaunchComeBackFromTheLogFile) {
  const auto profile = profiled("worker\ncat \"$data/ncu_raw.csv\" > \"$log\"\n", false);
  const MetricTable metrics(profile.collected.metrics);
  EXPECT_NEAR(metrics.get(tag::load_sectors, 0).value_or(0), 32, 1e-9)
      << testing::PrintToString(profile.collected.notes);
  EXPECT_NEAR(metrics.get(tag::atomics, 1).value_or(0), 8000, 1e-9);
}

TEST_F(FakeNcu, OneRunGivesNumbersAndSamples) {
  const auto profile = profiled(
      "case \"$*\" in\n"
      "  *'--page source'*) cat \"$data/ncu_source.csv\" ;;\n"
      "  *'--page raw'*) cat \"$data/ncu_raw.csv\" ;;\n"
      "  *) worker; touch \"$log\" ;;\n"
      "esac\n",
      true);
  const MetricTable metrics(profile.collected.metrics);
  EXPECT_NEAR(metrics.get(tag::atomics, 1).value_or(0), 8000, 1e-9)
      << testing::PrintToString(profile.collected.notes);
  // What the fake device builds has no lines, and that is said.
  EXPECT_THAT(profile.collected.notes,
              testing::Contains(HasSubstr("The samples of strided are not mapped")));
}

TEST_F(FakeNcu, RefusedRightsAreSaidForEveryTag) {
  const auto profile = profiled(
      "worker\necho '==ERROR== ERR_NVGPUCTRPERM - The user does not have permission' > \"$log\"\n",
      false);
  const MetricTable metrics(profile.collected.metrics);
  EXPECT_FALSE(metrics.get(tag::occupancy, 0));
  EXPECT_THAT(metrics.missing(tag::occupancy, 0), HasSubstr("run hone as root"));
  ASSERT_EQ(profile.collected.notes.size(), 1u);
}

TEST_F(FakeNcu, AProfilerThatDiesOrSaysNothingIsANote) {
  const auto dead =
      profiled("echo 'ncu: error while loading shared libraries: libX.so' >&2\nexit 127\n", false);
  EXPECT_THAT(dead.collected.notes, testing::Contains(HasSubstr("install it whole")));
  const auto silent = profiled("worker\n", false);
  EXPECT_THAT(silent.collected.notes, testing::Contains(HasSubstr("holds no numbers")));
  EXPECT_FALSE(silent.collected.metrics.empty());
}

TEST(NcuCommand, ProfilesBetweenTheMarksAtTheDevicesOwnClocks) {
  const auto words = ncu_command("/opt/ncu", "/tmp/f", false);
  const auto after = [&](const std::string& word) {
    return *(std::find(words.begin(), words.end(), word) + 1);
  };
  EXPECT_EQ(after("--profile-from-start"), "off");
  EXPECT_EQ(after("--clock-control"), "none");
  EXPECT_EQ(after("--log-file"), "/tmp/f/log.txt");
  EXPECT_THAT(after("--metrics"), HasSubstr("gpu__time_duration.sum,"));
}

}  // namespace
}  // namespace hone::profile
