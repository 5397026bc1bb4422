#include "judge/probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "device/device.h"

namespace hone::judge {
namespace {

using core::Outcome;
using testing::ElementsAre;
using testing::HasSubstr;

std::string opencl_probe(const std::string& body, const std::string& more = "") {
  return "/* hone 1\n[[scratch]]\nname = \"room\"\ndtype = \"f32\"\nshape = [\"sm_count * "
         "16\"]\n[[launch]]\n"
         "kernel = \"ask\"\ngrid = [1]\nblock = [1]\nargs = [\"numbers\", \"room\", "
         "\"sm_count\"]\n*/\n" +
         more +
         "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
         "__kernel void ask(__global double* numbers, __global float* room, int cores) {\n" +
         body + "\n}\n";
}

class OpenClProbe : public testing::Test {
 protected:
  void SetUp() override {
    for (const auto& backend : device::discover())
      if (backend.language == core::Language::opencl && !backend.devices.empty())
        info_ = backend.devices.front();
    if (!info_) GTEST_SKIP() << "no OpenCL device";
    ::setenv("HONE_HOME", (folder_.path() / "home").c_str(), 1);
  }
  base::Result<ProbeResult, ProbeFailure> ask(const std::string& source,
                                              double seconds = 20) const {
    return run_probe(*info_, source, {false, seconds});
  }
  base::TemporaryFolder folder_{"hone-probe-test"};
  std::optional<core::DeviceInfo> info_;
};

TEST_F(OpenClProbe, GivesLabelledNumbers) {
  const auto got =
      ask(opencl_probe("numbers[0] = sizeof(long); room[0] = 2.5f; numbers[2] = room[0] + cores;",
                       "// labels: bytes of a long, nothing, cores and more\n"));
  ASSERT_TRUE(got.ok()) << got.error().text;
  ASSERT_EQ(got->numbers.size(), 3u);
  EXPECT_EQ(got->numbers[0].label, "bytes of a long");
  EXPECT_EQ(got->numbers[0].value, 8);
  EXPECT_EQ(got->numbers[1].value, 0) << "zero before the call";
  EXPECT_EQ(got->numbers[2].label, "cores and more");
  EXPECT_EQ(got->numbers[2].value, 2.5 + static_cast<double>(info_->sm_count));
}

TEST_F(OpenClProbe, WithoutLabelsGivesAllUpToTheLastThatIsNotZero) {
  const auto got = ask(opencl_probe("numbers[1] = 7;"));
  ASSERT_TRUE(got.ok()) << got.error().text;
  ASSERT_EQ(got->numbers.size(), 2u);
  EXPECT_EQ(got->numbers[1].label, "numbers[1]");
}

TEST_F(OpenClProbe, IsStoppedAtItsTimeLimit) {
  const auto got = ask(opencl_probe("volatile int on = 1; while (on) { numbers[0] += 1; }"), 1);
  ASSERT_FALSE(got.ok());
  EXPECT_EQ(got.error().outcome, Outcome::timed_out);
}

TEST_F(OpenClProbe, FailsIfItCrashesOrWritesOutOfBounds) {
  const auto crashed = ask(opencl_probe("*(volatile __global int*)0 = 1;"));
  ASSERT_FALSE(crashed.ok());
  EXPECT_EQ(crashed.error().outcome, Outcome::crashed);
  const auto beside = ask(opencl_probe("numbers[64] = 1;"));
  ASSERT_FALSE(beside.ok());
  EXPECT_THAT(beside.error().text, HasSubstr("numbers"));
}

TEST_F(OpenClProbe, SaysWhyItDoesNotBuildOrItsPlanDoesNotFit) {
  const auto unbuilt = ask(opencl_probe("numbers[0] = undeclared;"));
  ASSERT_FALSE(unbuilt.ok());
  EXPECT_EQ(unbuilt.error().outcome, Outcome::build_failed);
  EXPECT_THAT(unbuilt.error().text, HasSubstr("undeclared"));
  EXPECT_THAT(ask("no plan at all").error().text, HasSubstr("hone 1"));
  EXPECT_THAT(ask("/* hone 1\n[[launch]]\nkernel = \"ask\"\ngrid = [\"rows\"]\nblock = [1]\nargs = "
                  "[\"numbers\"]\n*/\n"
                  "__kernel void ask(__global double* numbers) {}\n")
                  .error()
                  .text,
              HasSubstr("rows"));
}

TEST(ProbeLabels, AreReadFromTheFirstSuchLine) {
  EXPECT_THAT(probe_labels("x\n// labels: a, b c ,, d\n// labels: e\n"),
              ElementsAre("a", "b c", "numbers[2]", "d"));
  EXPECT_THAT(probe_labels("// labels: a */"), ElementsAre("a"));
  EXPECT_TRUE(probe_labels("// label: a\n").empty());
  EXPECT_EQ(probe_labels("// labels: " + std::string(200, ',')).size(), 64u);
}

}  // namespace
}  // namespace hone::judge
