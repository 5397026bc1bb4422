// Problems in the form of GPU MODE, written for the purpose, as tasks: on the CPU, with Debian's
// torch.
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/json_probe.h"

#include "hone_binary.h"

namespace hone::end_to_end {
namespace {

namespace fs = std::filesystem;
using base::JsonProbe;
using testing::HasSubstr;
using testing::Not;

class GpuMode : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    has_torch_ = std::system("/usr/bin/python3 -I -c 'import torch' > /dev/null 2>&1") == 0;
  }
  void SetUp() override {
    if (!has_torch_) GTEST_SKIP() << "/usr/bin/python3 has no torch";
    if (!has_opencl()) GTEST_SKIP() << "no OpenCL device";
  }
  static std::string problem(const std::string& name) {
    return "gpumode:" HONE_TEST_DATA "/gpumode/" + name;
  }
  std::string file(const fs::path& name, const std::string& text) {
    fs::create_directories((hone_.folder() / name).parent_path());
    std::ofstream(hone_.folder() / name) << text;
    return hone_.folder() / name;
  }
  Finished run(std::vector<std::string> words) {
    words.insert(words.end(), {"--device", "opencl:0", "--python", "/usr/bin/python3"});
    return hone_.run(words);
  }
  // The verdicts on several candidates, by one judge: every process that imports torch costs
  // seconds.
  JsonProbe evaluated(const std::string& name, const std::vector<std::string>& candidates) {
    std::vector<std::string> words = {"eval", problem(name), "--json"};
    words.insert(words.begin() + 2, candidates.begin(), candidates.end());
    const auto said = run(words);
    const JsonProbe all(said.out);
    EXPECT_TRUE(all.contains("evaluations")) << said.err << said.out;
    return all["evaluations"];
  }
  Hone hone_;
  static inline bool has_torch_ = false;
};

std::string blend(const std::string& expression) {
  return "/* hone 1\n[[launch]]\nkernel = \"blend\"\ngrid = [\"ceil_div(in_0_0 * in_0_1, "
         "64)\"]\nblock = [64]\n"
         "args = [\"in_0\", \"in_1\", \"y\", \"in_0_0 * in_0_1\"]\n*/\n"
         "__kernel void blend(__global const float* a, __global const float* b, __global float* y, "
         "int n) {\n"
         "  const int i = get_global_id(0);\n  if (i < n) y[i] = " +
         expression + ";\n}\n";
}

TEST_F(GpuMode, AProblemIsJudgedByItsOwnCheckAndByHones) {
  // On the problem's own inputs b is never negative, and its own check would take the second.
  const JsonProbe both = evaluated("blend", {file("right.cl", blend("a[i] + 0.5f * b[i]")),
                                             file("relies.cl", blend("a[i] + 0.5f * fabs(b[i])"))});
  const JsonProbe &right = both[0], &relies = both[1];
  ASSERT_EQ(right["outcome"], "accepted") << right.dump();
  EXPECT_EQ(right["cases"].size(), 4u) << "two tests, two benchmarks";
  EXPECT_THAT(right.dump(), HasSubstr("gpumode.score.geom"));
  EXPECT_EQ(relies["outcome"], "wrong") << relies.dump();
}

TEST_F(GpuMode, WithoutOneRightAnswerTheProblemsOwnCheckDecides) {
  const auto roots = [&](const std::string& name, const std::string& expression) {
    return file(name,
                "/* hone 1\n[[launch]]\nkernel = \"roots\"\ngrid = [\"ceil_div(in_0_0, 64)\"]\n"
                "block = [64]\nargs = [\"in_0\", \"y\", \"in_0_0\"]\n*/\n"
                "__kernel void roots(__global const float* a, __global float* y, int n) {\n"
                "  const int i = get_global_id(0);\n  if (i < n) y[i] = " +
                    expression + ";\n}\n");
  };
  const JsonProbe both =
      evaluated("roots", {roots("other_sign.cl", "i % 2 ? sqrt(a[i]) : -sqrt(a[i])"),
                          roots("wrong.cl", "sqrt(a[i]) + 0.01f")});
  const JsonProbe &other_sign = both[0], &wrong = both[1];
  EXPECT_EQ(other_sign["outcome"], "accepted") << other_sign.dump();
  EXPECT_THAT(other_sign.dump(), HasSubstr("no one right answer"));
  EXPECT_EQ(wrong["outcome"], "wrong");
  EXPECT_THAT(wrong.dump(), HasSubstr("a root is off by"));
}

TEST_F(GpuMode, ACustomKernelGetsTheNestedInputInItsOwnForm) {
  const JsonProbe both = evaluated(
      "affine", {HONE_TEST_DATA "/gpumode/affine/submission.py",
                 file("peeks.py", "from reference import ref_kernel as custom_kernel\n")});
  const JsonProbe &right = both[0], &peeks = both[1];
  ASSERT_EQ(right["outcome"], "accepted") << right.dump();
  EXPECT_THAT(right.dump(), HasSubstr("gpumode.score.last"));
  EXPECT_THAT(right.dump(), Not(HasSubstr("narrower precision")));
  EXPECT_EQ(peeks["outcome"], "build_failed") << "the reference is not there to be imported";
}

TEST_F(GpuMode, ANarrowerPrecisionIsSaidWhereTheProblemsOwnCheckTakesIt) {
  const auto rounded = [&](const std::string& type, int calls_before = 0) {
    return file(type + std::to_string(calls_before) + ".py",
                "import torch\ncalls = {}\ndef custom_kernel(data):\n"
                "    x, weights, settings, projection = data\n"
                "    lengths = torch.sqrt(torch.sum(x * x, 1) + settings['eps'])\n"
                "    y = (x * weights['scale.gamma']) @ projection[:, : settings['keep']]\n"
                "    calls[x.shape] = calls.get(x.shape, 0) + 1\n"
                "    late = calls[x.shape] > " +
                    std::to_string(calls_before) +
                    "\n    y = y / lengths[:, None]\n"
                    "    return y.to(torch." +
                    type + ").float() if late else y, lengths\n");
  };
  const JsonProbe all =
      evaluated("affine", {rounded("float16"), rounded("float16", 2), rounded("bfloat16")});
  const JsonProbe &half = all[0], &late = all[1];
  EXPECT_EQ(half["outcome"], "accepted") << half.dump();
  EXPECT_THAT(half.dump(), HasSubstr("The tolerance found for the problem's own check takes it"));
  EXPECT_EQ(late["outcome"], "accepted") << late.dump();
  EXPECT_THAT(late.dump(), HasSubstr("own check takes it"))
      << "though the first calls of every case were exact";
  EXPECT_EQ(all[2]["outcome"], "wrong") << "it is off by more than 1e-3";
}

TEST_F(GpuMode, WhatDoesNotComeBackIsEnded) {
  const std::string yml =
      "files: [{name: reference.py, source: reference.py}]\nlang: py\nbenchmarks: [{size: "
      "4}]\ntest_timeout: 1\n";
  file("endless/task.yml", yml);
  file("endless/reference.py",
       "def generate_input(size):\n    while True: pass\ndef ref_kernel(data): ...\n"
       "def check_implementation(data, output): ...\n");
  const auto endless = run({"task", "check", "gpumode:" + (hone_.folder() / "endless").string()});
  EXPECT_EQ(endless.code, 3);
  EXPECT_THAT(endless.err, HasSubstr("did not finish within 1 s"));
  const auto absent = run({"task", "check", "gpumode:" + (hone_.folder() / "absent").string()});
  EXPECT_EQ(absent.code, 3);
  EXPECT_THAT(absent.err, HasSubstr("a folder with a task.yml"));
}

}  // namespace
}  // namespace hone::end_to_end
