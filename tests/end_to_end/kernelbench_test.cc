// Problems in the form of KernelBench, written for the purpose, as tasks: on the CPU, with whatever
// torch is installed.
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "base/files.h"
#include "base/json_probe.h"

#include "hone_binary.h"

namespace hone::end_to_end {
namespace {

namespace fs = std::filesystem;
using base::JsonProbe;
using testing::HasSubstr;
using testing::Not;

class KernelBench : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    has_torch_ = std::system("/usr/bin/python3 -I -c 'import torch' > /dev/null 2>&1") == 0;
  }
  void SetUp() override {
    if (!has_torch_) GTEST_SKIP() << "/usr/bin/python3 has no torch";
    if (!has_opencl()) GTEST_SKIP() << "no OpenCL device";
    fs::create_directories(level());
  }
  fs::path checkout() const { return hone_.folder() / "checkout"; }
  fs::path level() const { return checkout() / "KernelBench" / "level1"; }
  // A problem with this module, these inputs, and nothing to construct it with.
  void problem(int number, const std::string& body, const std::string& inputs) {
    std::ofstream(level() / (std::to_string(number) + "_Problem.py"))
        << "import torch\nimport torch.nn as nn\n\nclass Model(nn.Module):\n"
        << body << "\n\ndef get_inputs():\n    return " << inputs
        << "\n\ndef get_init_inputs():\n    return []\n";
  }
  std::string candidate(const std::string& name, const std::string& text) {
    std::ofstream(hone_.folder() / name) << text;
    return hone_.folder() / name;
  }
  // The task.toml that was made of a problem.
  std::string made_task(const std::string& name) const {
    for (const auto& entry : fs::directory_iterator(hone_.home() / "tasks" / "kernelbench"))
      if (entry.path().filename().string().starts_with(name + "-"))
        return base::read_file(entry.path() / "task.toml");
    return "";
  }
  Finished run(std::vector<std::string> words) {
    for (const std::string& word : {std::string("--kernelbench"), checkout().string(),
                                    std::string("--python"), std::string("/usr/bin/python3")})
      words.push_back(word);
    return hone_.run(words);
  }
  Hone hone_;
  static inline bool has_torch_ = false;
};

constexpr const char* scaled_relu = R"(    def forward(self, x, s):
        return torch.relu(x) * s
)";

std::string relu(const std::string& expression) {
  return "/* hone 1\n[[launch]]\nkernel = \"relu\"\ngrid = [256]\nblock = [64]\nargs = [\"x\", "
         "\"y\", \"s\"]\n*/\n"
         "__kernel void relu(__global const float* x, __global float* y, float s) {\n"
         "  for (int i = get_global_id(0); i < 16384; i += 16384) y[i] = " +
         expression + ";\n}\n";
}

TEST_F(KernelBench, AProblemIsJudgedLikeAnyTask) {
  problem(1, scaled_relu, "[torch.rand(128, 128), 3.5]");
  const auto right =
      run({"eval", "kernelbench:level1/1", candidate("right.cl", relu("fmax(x[i], 0.0f) * s")),
           "--device", "opencl:0", "--json"});
  ASSERT_EQ(right.code, 0) << right.err << right.out;
  EXPECT_EQ(JsonProbe(right.out)["outcome"], "accepted");
  EXPECT_THAT(right.err, HasSubstr("asking torch about level1_1, once"));
  // On the problem's own inputs, which are never negative, this would be right.
  const auto identity =
      run({"eval", "kernelbench:level1/1", candidate("identity.cl", relu("x[i] * s")), "--device",
           "opencl:0", "--json"});
  EXPECT_NE(identity.code, 0);
  EXPECT_EQ(JsonProbe(identity.out)["outcome"], "wrong");
  EXPECT_THAT(identity.err, Not(HasSubstr("asking torch")));
}

TEST_F(KernelBench, WeightsAreInputsAndOnesAndZerosAreDrawn) {
  problem(2, R"(    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(64)

    def forward(self, x):
        return self.norm(x)
)",
          "[torch.rand(32, 64)]");
  const std::string norm = R"(/* hone 1
[[launch]]
kernel = "norm"
grid = [32]
block = [1]
args = ["x", "norm_weight", "norm_bias", "y"]
*/
__kernel void norm(__global const float* x, __global const float* w, __global const float* b, __global float* y) {
  x += get_group_id(0) * 64;
  y += get_group_id(0) * 64;
  float mean = 0, square = 0;
  for (int i = 0; i < 64; ++i) mean += x[i] / 64;
  for (int i = 0; i < 64; ++i) square += (x[i] - mean) * (x[i] - mean) / 64;
  for (int i = 0; i < 64; ++i) y[i] = (x[i] - mean) / sqrt(square + 1e-5f) AFFINE;
}
)";
  const auto with = [&](const std::string& name, const std::string& affine) {
    std::string text = norm;
    text.replace(text.find("AFFINE"), 6, affine);
    return candidate(name, text);
  };
  const auto both = run({"eval", "kernelbench:level1/2", with("norm.cl", "* w[i] + b[i]"),
                         with("plain.cl", ""), "--device", "opencl:0", "--json"});
  const JsonProbe all = JsonProbe(both.out)["evaluations"];
  EXPECT_EQ(all[0]["outcome"], "accepted") << both.err << both.out;
  EXPECT_EQ(all[1]["outcome"], "wrong") << "gamma and beta may not be left out";
}

// By whatever torch is here: an old one does not count, and Hone's own table does.
TEST_F(KernelBench, OperationsAreCountedAndTheoryKnowsThem) {
  problem(6, R"(    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(256, 256)

    def forward(self, x):
        return torch.relu(self.linear(x))
)",
          "[torch.rand(128, 256)]");
  const std::string linear = candidate("linear.cl", R"(/* hone 1
[[launch]]
kernel = "linear"
grid = [512]
block = [64]
args = ["x", "linear_weight", "linear_bias", "y"]
*/
__kernel void linear(__global const float* x, __global const float* w, __global const float* b, __global float* y) {
  const int row = get_global_id(0) / 256, column = get_global_id(0) % 256;
  float sum = b[column];
  for (int i = 0; i < 256; ++i) sum += x[row * 256 + i] * w[column * 256 + i];
  y[get_global_id(0)] = fmax(sum, 0.0f);
}
)");
  const auto profiled =
      run({"profile", "kernelbench:level1/6", linear, "--device", "opencl:0", "--json"});
  ASSERT_EQ(profiled.code, 0) << profiled.err << profiled.out;
  const JsonProbe made(profiled.out);
  constexpr int products = 2 * 128 * 256 * 256, beside = 2 * 128 * 256;  // bias, relu
  EXPECT_THAT(made_task("level1_6"),
              HasSubstr("flops = { f32 = \"" + std::to_string(products + beside) + "\" }\n"));
  EXPECT_EQ(made["diagnosis"]["theory"], "compute") << made["diagnosis"]["reason"].text();
}

TEST_F(KernelBench, AnOperatorWithoutACountIsNamed) {
  problem(7, "    def forward(self, x):\n        return torch.fft.fft(x).real + x\n",
          "[torch.rand(4, 8)]");
  const std::string sum = candidate("sum.cl", R"(/* hone 1
[[launch]]
kernel = "sum"
grid = [1]
block = [32]
args = ["x", "y"]
*/
__kernel void sum(__global const float* x, __global float* y) {
  const int row = get_local_id(0) / 8, k = get_local_id(0) % 8;
  float sum = x[row * 8 + k];
  for (int i = 0; i < 8; ++i) sum += x[row * 8 + i] * cospi(0.25f * (i * k % 8));
  y[row * 8 + k] = sum;
}
)");
  const auto profiled =
      run({"profile", "kernelbench:level1/7", sum, "--device", "opencl:0", "--json"});
  ASSERT_EQ(profiled.code, 0) << profiled.err << profiled.out;
  EXPECT_THAT(JsonProbe(profiled.out)["diagnosis"]["reason"].text(), HasSubstr("aten._fft_r2c"));
}

TEST_F(KernelBench, AnArgumentMayHaveTheNameOfTheOutput) {
  problem(3, "    def forward(self, x, y):\n        return x + y\n",
          "[torch.rand(64), torch.rand(64)]");
  const auto sum = run({"eval", "kernelbench:level1/3", candidate("sum.cl", R"(/* hone 1
[[launch]]
kernel = "sum"
grid = [1]
block = [64]
args = ["x", "y", "out"]
*/
__kernel void sum(__global const float* x, __global const float* y, __global float* out) {
  out[get_local_id(0)] = x[get_local_id(0)] + y[get_local_id(0)];
}
)"),
                        "--device", "opencl:0"});
  EXPECT_EQ(sum.code, 0) << sum.err << sum.out;
}

TEST_F(KernelBench, WhatCannotBeJudgedIsRefusedWithTheReason) {
  problem(3, "    def forward(self, x):\n        return torch.dropout(x, 0.5, True)\n",
          "[torch.rand(64, 64)]");
  problem(4, "    def forward(self, x):\n        return x * float('nan')\n",
          "[torch.rand(64, 64)]");
  problem(
      5,
      "    def __init__(self):\n        super().__init__()\n        self.h = torch.randn(64)\n\n"
      "    def forward(self, x):\n        return x + self.h\n",
      "[torch.rand(64, 64)]");
  problem(6, "    def forward(self, x):\n        raise RuntimeError('no')\n", "[torch.rand(4)]");
  problem(7, "    def forward(self, x):\n        return x.tolist()\n", "[torch.rand(4)]");
  std::ofstream(level() / "8_Broken.py") << "import torch\nclass Model(";
  std::ofstream(level() / "9_Empty.py") << "import torch\n";
  const auto said = [&](int number) {
    const auto check = run(
        {"task", "check", "kernelbench:level1/" + std::to_string(number), "--device", "opencl:0"});
    EXPECT_EQ(check.code, 3) << number;
    return check.err;
  };
  EXPECT_THAT(said(3), HasSubstr("two calls on the same inputs differ"));
  EXPECT_THAT(said(10), HasSubstr("no problem 10"));
  const auto all =
      run({"task", "check", "kernelbench:level1", "--json"});  // all of them by one Python
  EXPECT_EQ(all.code, 1) << all.err;
  std::map<std::string, std::string> refused;
  const JsonProbe answer(all.out);
  for (const auto& one : answer["problems"].items()) refused[one["problem"]] = one["refused"];
  EXPECT_EQ(refused.size(), 7u) << all.out;
  EXPECT_THAT(refused["kernelbench:level1/3"], HasSubstr("two calls on the same inputs differ"));
  EXPECT_THAT(refused["kernelbench:level1/4"], HasSubstr("not finite for its own inputs"));
  EXPECT_THAT(refused["kernelbench:level1/5"],
              HasSubstr("random tensors that are no parameters of the model"));
  EXPECT_THAT(refused["kernelbench:level1/6"], HasSubstr("RuntimeError: no"));
  EXPECT_THAT(refused["kernelbench:level1/7"], HasSubstr("not a tensor"));
  EXPECT_THAT(refused["kernelbench:level1/8"], HasSubstr("SyntaxError"));
  EXPECT_THAT(refused["kernelbench:level1/9"], HasSubstr("has no Model"));
}

// One task through all of it: inputs that only the problem can draw, classes, baselines that go on,
// a table.
TEST_F(KernelBench, ClassesAreHeldAgainstBaselines) {
  problem(1, "    def forward(self, a):\n        return a @ a\n",
          "[torch.tril(torch.rand(64, 64))]");
  problem(2, "    def forward(self, x):\n        return x.tolist()\n", "[torch.rand(4)]");
  // With operands rounded to so many bits of mantissa.
  const auto product_of = [&](const std::string& name, int left, int right) {
    const auto rounded = [](const std::string& value, int bits) {
      const std::string half = std::to_string(1u << (22 - bits)),
                        mask = std::to_string(~((1u << (23 - bits)) - 1));
      return bits == 23 ? value
                        : "as_float((as_uint(" + value + ") + " + half + "u) & " + mask + "u)";
    };
    return candidate(name, R"(/* hone 1
[[launch]]
kernel = "product"
grid = [64]
block = [64]
args = ["a", "y"]
*/
__kernel void product(__global const float* a, __global float* y) {
  const int row = get_group_id(0), column = get_local_id(0);
  float sum = 0;
  for (int k = column; k <= row; ++k) sum += )" +
                               rounded("a[row * 64 + k]", left) + " * " +
                               rounded("a[k * 64 + column]", right) + R"(;
  y[row * 64 + column] = sum;
}
)");
  };
  const std::string product = product_of("product.cl", 23, 23);
  const auto metrics_of = [](const JsonProbe& evaluation) {
    std::map<std::string, JsonProbe> metrics;
    for (const auto& metric : evaluation["metrics"].items()) metrics[metric["tag"]] = metric;
    return metrics;
  };
  const auto judged = [&] {
    const auto said =
        run({"eval", "kernelbench:level1/1", product, "--device", "opencl:0", "--json"});
    EXPECT_EQ(said.code, 0) << said.err << said.out;
    return metrics_of(JsonProbe(said.out));
  };
  const auto narrower = run({"eval", "kernelbench:level1/1", product_of("tf32.cl", 10, 10),
                             product_of("less.cl", 10, 9), product_of("bf16.cl", 7, 7), "--device",
                             "opencl:0", "--json"});
  EXPECT_EQ(narrower.code, 1) << narrower.err;
  const auto evaluations = JsonProbe(narrower.out)["evaluations"];
  EXPECT_EQ(evaluations[0]["outcome"], "accepted") << "TF32 is a class of its own" << narrower.out;
  auto tf32 = metrics_of(evaluations[0]);
  EXPECT_EQ(tf32["class.fp32.solved"]["value"], 0);
  EXPECT_EQ(tf32["class.tf32.solved"]["value"], 1);
  EXPECT_EQ(tf32["class.protocol.solved"]["value"], 0);
  EXPECT_EQ(evaluations[1]["outcome"], "wrong");
  EXPECT_THAT(evaluations[1]["evidence"].dump(), HasSubstr("in no class of precision"));
  EXPECT_EQ(evaluations[2]["outcome"], "wrong");
  EXPECT_THAT(evaluations[2]["evidence"].dump(), HasSubstr("TF32"));

  // Where one class alone will do, the others are wrong.
  const auto narrowed =
      run({"eval", "kernelbench:level1/1@fp32", (hone_.folder() / "tf32.cl").string(), product,
           "--device", "opencl:0", "--json"});
  const auto in_fp32 = JsonProbe(narrowed.out)["evaluations"];
  EXPECT_EQ(in_fp32[0]["outcome"], "wrong");
  EXPECT_THAT(in_fp32[0]["evidence"].dump(),
              HasSubstr("not in class fp32, which is asked for here"));
  EXPECT_EQ(in_fp32[1]["outcome"], "accepted") << narrowed.out;

  auto metrics = judged();
  EXPECT_EQ(metrics["class.fp32.solved"]["value"], 1)
      << "it may rely on the zeros: its inputs are the problem's own";
  EXPECT_EQ(metrics["class.protocol.solved"]["value"], 1);
  EXPECT_GT(metrics["class.fp32.eager.rms"]["value"].number(), 0);
  EXPECT_EQ(metrics["share.own_kernels"]["value"], 1);
  EXPECT_THAT(metrics["class.fp32.speedup"]["missing"].text(),
              HasSubstr("hone baseline kernelbench:level1/1 --device opencl:0"));

  const auto lines_of = [](const std::string& out) {
    std::vector<JsonProbe> lines;
    std::istringstream text(out);
    for (std::string line; std::getline(text, line);) lines.push_back(JsonProbe(line));
    return lines;
  };
  const auto none =
      run({"baseline", "kernelbench:level1/1-2", "--device", "opencl:0", "--budget-s", "1e-9"});
  EXPECT_EQ(none.code, 21) << none.err;
  const auto first =
      run({"baseline", "kernelbench:level1/1-2", "--device", "opencl:0", "--jobs", "2", "--json"});
  EXPECT_EQ(first.code, 1) << "the second problem fails: " << first.err;
  const auto lines = lines_of(first.out);
  ASSERT_EQ(lines.size(), 6u) << first.out << first.err;
  EXPECT_EQ(lines[0]["class"], "fp32");
  EXPECT_GT(lines[0]["best"]["median_s"].number(), 0);
  EXPECT_GT(lines[0]["eager"]["in_a_row_s"].number(), 0);
  EXPECT_GT(lines[0]["eager"]["calls_in_a_row"].number(), 0);
  EXPECT_THAT(lines[3]["failed"].text(), HasSubstr("not a tensor"));
  const fs::path out = hone_.folder() / "lines.jsonl";
  std::ofstream(out) << lines[3].dump() << "\n"
                     << lines[4].dump() << "\n{\"problem\": \"level1_2\", \"cla";
  const auto again =
      run({"baseline", "kernelbench:level1/1-2", "--device", "opencl:0", "--json", "--out", out});
  EXPECT_EQ(again.code, 1) << again.err;
  ASSERT_EQ(lines_of(again.out).size(), 6u);
  EXPECT_EQ(lines_of(again.out)[0]["when"], lines[0]["when"])
      << "what is recorded is not measured again";
  EXPECT_EQ(lines_of(again.out)[3]["when"], lines[3]["when"])
      << "and what failed is not tried again";
  const auto shown = run(
      {"baseline", "--show", "--out", out, "--json", "--markdown", hone_.folder() / "table.md"});
  EXPECT_EQ(lines_of(shown.out).size(), 6u) << "half a line is none: " << shown.out;
  std::stringstream table_text;
  table_text << std::ifstream(hone_.folder() / "table.md").rdbuf();
  EXPECT_THAT(table_text.str(), HasSubstr("1 of 2 problems measured"));
  EXPECT_THAT(table_text.str(), HasSubstr("- level1\\_2: forward gives a float, not a tensor\n"));

  EXPECT_GT(judged()["class.fp32.speedup"]["value"].number(), 0);
  const auto table = run({"table", "kernelbench:level1", "--json"});
  ASSERT_EQ(table.code, 0) << table.err;
  const auto scores = JsonProbe(table.out)["scores"];
  ASSERT_EQ(scores.size(), 6u) << table.out;
  EXPECT_EQ(scores[0]["solved"], true);
  EXPECT_EQ(scores[0]["candidate"], "product.cl") << "the one in TF32 is not in this class";
  EXPECT_EQ(scores[0]["precision_used"], "errors as in fp32");
  EXPECT_EQ(scores[0]["own_kernels_share"], 1);
  EXPECT_GT(scores[0]["speedup"].number(), 0);
  EXPECT_EQ(scores[3]["solved"], false);
  EXPECT_EQ(scores[3]["tried"], false);
}

TEST_F(KernelBench, WhatItsOwnCheckWouldTakeIsListed) {
  problem(1, "    def forward(self, x):\n        return torch.softmax(x, -1)\n",
          "[torch.rand(4, 50000)]");
  problem(2, "    def forward(self, x):\n        return x @ x\n", "[torch.rand(64, 64)]");
  const auto said = run({"task", "check", "kernelbench:level1", "--json"});
  EXPECT_EQ(said.code, 1) << said.err;
  const auto answer = JsonProbe(said.out);
  EXPECT_EQ(answer["weak"], 1);
  EXPECT_EQ(answer["problems"][0]["weak"][0], "zeros pass");
  EXPECT_TRUE(answer["problems"][1]["weak"].empty());
}

TEST_F(KernelBench, SaysWhatIsMissing) {
  for (const auto& words : {std::vector<std::string>{"task", "check", "kernelbench:level1/1"},
                            {"baseline", "kernelbench:level1/1"},
                            {"baseline", "kernelbench:level1"}}) {
    const auto nowhere = hone_.run(words);
    EXPECT_EQ(nowhere.code, 2);
    EXPECT_THAT(nowhere.err, HasSubstr("--kernelbench"));
  }
  problem(1, scaled_relu, "[torch.rand(4), 1.0]");
  const auto no_python = hone_.run({"task", "check", "kernelbench:level1/1", "--kernelbench",
                                    checkout(), "--python", "/usr/bin/false"});
  EXPECT_EQ(no_python.code, 4);
  EXPECT_THAT(no_python.err, HasSubstr("apt install python3-torch"));
}

}  // namespace
}  // namespace hone::end_to_end
