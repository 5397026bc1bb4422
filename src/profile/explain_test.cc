#include "profile/explain.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "profile/tags.h"
#include "task/candidate_loader.h"
#include "task/task_parser.h"

namespace hone::profile {
namespace {

constexpr const char* toml = R"(
hone = 1
name = "copy"
summary = "A copy."
[[input]]
name = "x"
draw = { kind = "normal" }
dtype = "f32"
shape = ["n"]
[[output]]
name = "y"
tolerance = { max = 1e-6, rms = 1e-6 }
dtype = "f32"
shape = ["n"]
[[case]]
name = "big"
bind = { n = 1048576 }
[work]
bytes = "8 * n"
)";
constexpr const char* source = R"(/* hone 1
[[launch]]
kernel = "copy"
grid   = ["sm_count / 2"]
block  = [256]
args   = ["x", "y", "n"]
*/
extern "C" __global__ void copy(const float* x, float* y, long long n) {}
)";

core::Profile recorded() {
  core::Profile profile;
  profile.case_name = "big";
  profile.seconds = 1e-3;
  core::DeviceInfo device;
  device.arch = "sm_90a";
  device.sm_count = 132;
  profile.metrics = collect_device(device, {4e12, 3e12, 4e12, {{"f32", 6e13}}}).metrics;
  profile.metrics.push_back({std::string(tag::blocks), "1", 66.0, "", "big", 0, {}});
  profile.metrics.push_back({std::string(tag::line_samples), "1", 10.0, "", "big", 0, 8});
  return profile;
}

core::Task the_task() {
  core::Task task;
  EXPECT_TRUE(task::parse_task(toml, "task.toml", task).empty());
  return task;
}

TEST(ExplainAgain, NeedsNothingButTheRecording) {
  const auto task = the_task();
  const auto candidate = task::candidate_from(source, core::Language::cuda, "copy.cu");
  ASSERT_TRUE(candidate);
  const auto again = explain_again(recorded(), task, *candidate, {}, {});
  EXPECT_EQ(again.diagnosis.theory, core::Bound::memory);
  ASSERT_FALSE(again.advice.empty());
  EXPECT_EQ(again.advice[0].tool, "few-blocks");
  EXPECT_EQ(again.advice[0].id, "A1");
}

TEST(ExplainAgain, SaysWhatThisExplainingTook) {
  const auto task = the_task();
  const auto candidate = task::candidate_from(source, core::Language::cuda, "copy.cu");
  auto old = recorded();
  old.parts = {{"kernel", 3.0}, {"tools", 436e-6}};
  const auto again = explain_again(old, task, *candidate, {}, {});
  ASSERT_EQ(again.parts.size(), 1u) << "nothing was measured";
  EXPECT_EQ(again.parts[0].name, "tools");
  EXPECT_NE(again.parts[0].seconds, 436e-6);
}

TEST(ExplainAgain, NotesOnceThatLaunchesWereNotTimed) {
  const auto task = the_task();
  const std::string launch = std::string(source).substr(10, std::string(source).find("*/") - 10);
  const auto candidate = task::candidate_from(
      "/* hone 1\n" + launch + launch +
          "*/\nextern \"C\" __global__ void copy(const float* x, float* y, long long n) {}\n",
      core::Language::cuda, "copy.cu");
  ASSERT_TRUE(candidate);
  const auto once = explain_again(recorded(), task, *candidate, {}, {});
  ASSERT_EQ(once.notes.size(), 1u);
  EXPECT_NE(once.notes[0].find("equal part"), std::string::npos);
  EXPECT_EQ(explain_again(once, task, *candidate, {}, {}).notes.size(), 1u);
}

TEST(ExplainAgain, SaysWhatARecordingLacks) {
  const auto task = the_task();
  const auto candidate = task::candidate_from(source, core::Language::cuda, "copy.cu");
  auto old = recorded();
  std::erase_if(old.metrics,
                [](const core::Metric& metric) { return metric.tag == tag::device_sms; });
  EXPECT_THROW(explain_again(old, task, *candidate, {}, {}), base::Error);
  auto other = recorded();
  other.case_name = "huge";
  EXPECT_THROW(explain_again(other, task, *candidate, {}, {}), base::Error);
}

}  // namespace
}  // namespace hone::profile
