// Plans with operations of a library instead of kernels, on the CPU, with whatever torch is
// installed.
#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>

#include "base/json_probe.h"

#include "hone_binary.h"

namespace hone::end_to_end {
namespace {

namespace fs = std::filesystem;
using base::JsonProbe;
using testing::HasSubstr;

constexpr const char* task = R"(hone = 1
name = "softmax"
summary = "Softmax of each row of a matrix."

[[input]]
name = "x"
dtype = "f32"
shape = ["rows", "cols"]

[[output]]
name = "y"
dtype = "f32"
shape = ["rows", "cols"]
tolerance = { max = 1e-4, rms = 2e-6 }

[[case]]
bind = { rows = 500, cols = 300 }

[work]
bytes = "8 * rows * cols"
)";

constexpr const char* reference = R"(#include <hone/reference.h>

HONE_REFERENCE(call) {
  const int64_t rows = call.size("rows"), cols = call.size("cols");
  const auto& x = call.input("x");
  auto& y = call.output("y");
  for (int64_t r = 0; r < rows; ++r) {
    const real top = *std::max_element(&x[r * cols], &x[r * cols] + cols);
    real sum = 0;
    for (int64_t c = 0; c < cols; ++c) sum += y[r * cols + c] = std::exp(x[r * cols + c] - top);
    for (int64_t c = 0; c < cols; ++c) y[r * cols + c] /= sum;
  }
}
)";

class Operations : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("/usr/bin/python3 -I -c 'import torch' > /dev/null 2>&1") != 0)
      GTEST_SKIP() << "/usr/bin/python3 has no torch";
    if (!has_opencl()) GTEST_SKIP() << "no OpenCL device";
    fs::create_directories(hone_.folder() / "task");
    std::ofstream(hone_.folder() / "task" / "task.toml") << task;
    std::ofstream(hone_.folder() / "task" / "reference.cc") << reference;
  }
  // By one judge: every process that imports torch costs seconds.
  JsonProbe judged(const std::vector<std::string>& files) {
    std::vector<std::string> words = {"eval", hone_.folder() / "task"};
    words.insert(words.end(), files.begin(), files.end());
    words.insert(words.end(), {"--device", "opencl:0", "--python", "/usr/bin/python3", "--json"});
    const auto finished = hone_.run(words);
    const JsonProbe all(finished.out);
    EXPECT_TRUE(all.contains("evaluations")) << finished.err << finished.out;
    return all["evaluations"];
  }
  std::string file(const std::string& name, const std::string& text) {
    std::ofstream(hone_.folder() / name) << text;
    return hone_.folder() / name;
  }
  Hone hone_;
};

TEST_F(Operations, AreJudgedLikeKernels) {
  const std::string example = HONE_EXAMPLES "/features/softmax.operations.cl";
  // An operation that torch does not know, one that is wrong, and one beside a kernel.
  const std::string tanh =
      "/* hone 1\n[[launch]]\nop = \"aten.tanh\"\nargs = [\"x\"]\nout = \"y\"\n";
  const JsonProbe all = judged(
      {example,
       file("unknown.cl",
            "/* hone 1\n[[launch]]\nop = \"aten.frobnicate\"\nargs = [\"x\"]\nout = \"y\"\n*/\n"),
       file("wrong.cl", tanh + "*/\n"),
       file("mixed.cl", tanh + "\n[[launch]]\nkernel = \"k\"\ngrid = [1]\nblock = [1]\n"
                               "args = [\"y\"]\n*/\n__kernel void k(__global float* y) {}\n")});
  const JsonProbe &right = all[0], &unknown = all[1], &wrong = all[2], &mixed = all[3];
  EXPECT_EQ(right["outcome"], "accepted") << right.dump();
  EXPECT_THAT(right.dump(), HasSubstr("share.own_kernels"));
  EXPECT_EQ(unknown["outcome"], "rejected");
  EXPECT_THAT(unknown.dump(), HasSubstr("there is no operation aten.frobnicate"));
  EXPECT_EQ(wrong["outcome"], "wrong");
  EXPECT_EQ(mixed["outcome"], "rejected");
  EXPECT_THAT(mixed.dump(), HasSubstr("only plans of operations alone"));
  const auto profiled = hone_.run({"profile", hone_.folder() / "task", example, "--device",
                                   "opencl:0", "--python", "/usr/bin/python3", "--json"});
  EXPECT_EQ(profiled.code, 0) << profiled.err;
  EXPECT_THAT(profiled.out, HasSubstr("call.kernel.aten.")) << "the time of each operation";
}

}  // namespace
}  // namespace hone::end_to_end
