// `hone export --format kernelbench|gpumode`, and what comes of it without Hone:
// tests/export/evaluated.py does with the files what the official evaluators do, on the CPU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>

#include "hone_binary.h"

namespace hone::end_to_end {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* problem = R"text(import torch
import torch.nn as nn

rows = 6

def scale(features):
    """Used by the first pass."""
    return torch.randn(features)

class Helper(nn.Module):
    """A forward pass, except for the last: try: nothing."""
    def __init__(self, features):
        super(Helper, self).__init__()
        self.weight = nn.Parameter(scale(features))  # pass
    def forward(self, x):
        return x * self.weight

class Model(nn.Module):
    def __init__(self, features, unused):
        """The constructor's forward pass."""
        super(Model, self).__init__()
        self.helper = Helper(features)
        torch.randn(3)
        self.layers = nn.Sequential(nn.Linear(features, 1), Helper(1))
        self.bias = nn.Parameter(torch.randn(features))

    def forward(self, x: torch.Tensor, s) -> torch.Tensor:
        """A pass."""
        return (self.helper(x - x.mean(1, keepdim=True)) + self.bias) * s + 1

def get_inputs():
    return [torch.rand(rows, 32), 0.75]

def get_init_inputs():
    return [32, 1.5]
)text";

constexpr const char* task = R"text(hone = 1
name = "exported"
summary = "for the evaluators' sake"

[[input]]
name = "x"
dtype = "f32"
shape = ["x_0", "x_1"]

[[input]]
name = "helper_weight"
dtype = "f32"
shape = [32]

[[input]]
name = "bias"
dtype = "f32"
shape = [32]

[[scalar]]
name = "s"
dtype = "f32"
value = 0.5

[[output]]
name = "y"
dtype = "f32"
shape = ["x_0", "x_1"]
tolerance = { max = 1e-4, rms = 1e-5 }

[[case]]
name = "official"
bind = { x_0 = 6, x_1 = 32 }

[work]
bytes = "8 * x_0 * x_1"
)text";

constexpr const char* candidate = R"text(/* hone 1
[tune]
BLOCK = { values = [64, 128], default = 64 }

[[scratch]]
name = "lambda"
dtype = "f32"
shape = ["x_0"]

[[scratch]]
name = "same"
dtype = "f32"
shape = ["x_0", "x_1"]

[[launch]]
op = "aten.mul.Scalar"
args = ["x[x_0, x_1]", 1.0]
out = "same"

[[launch]]
kernel = "row_means"
grid = ["x_0"]
block = ["BLOCK"]
shared = "4 * BLOCK"
cooperative = true
args = ["same", "lambda", "x_1"]

[[launch]]
kernel = "rest"
when = "sm_count > 2 and x_0 / 4 == 1"
grid = ["ceil_div(x_1, 4)", "min(sm_count, 5)"]
block = ["BLOCK"]
cluster = [2]
args = ["x", "lambda", "helper_weight", "bias", "y", 7, "s", "i64:x_0", "u8:1"]

[[launch]]
kernel = "never"
when = "x_0 > 6"
grid = [1]
block = [1]
args = ["y"]

[[launch]]
kernel = "add_one"
repeat = 2
grid = [1]
block = [32]
args = ["y", "x_0 * x_1", "iteration"]
*/
extern "C" __global__ void row_means(const float* x, float* means, int columns) {}
extern "C" __global__ void rest(const float* x, const float* means, const float* w, const float* b, float* y, int pass,
                                float s, long long rows, unsigned char one) {}
extern "C" __global__ void never(float* y) {}
extern "C" __global__ void add_one(float* y, int count, int iteration) {}  // "a string" with a \ in it
)text";

// A task as it comes of a problem of GPU MODE: (x, {"w": w, "scale": 0.5}, None, y) goes in, (y,)
// comes out, and x lies transposed.
constexpr const char* mode_task = R"text(hone = 1
name = "mode"
summary = "for the evaluators' sake"

[[input]]
name = "in_0"
dtype = "f32"
shape = ["in_0_1", "in_0_0"]

[[input]]
name = "in_1_w"
dtype = "f32"
shape = ["in_1_w_0"]

[[scalar]]
name = "in_1_scale"
dtype = "f32"
value = 0.5

[[output]]
name = "y_0"
dtype = "f32"
shape = ["y_0_0", "y_0_1"]
tolerance = { max = 1e-4, rms = 1e-5 }

[[case]]
name = "test-0"
bind = { in_0_0 = 6, in_0_1 = 32, in_1_w_0 = 32, y_0_0 = 6, y_0_1 = 32, size = 6, other = 1 }

[[case]]
name = "benchmark-0"
bind = { in_0_0 = 9, in_0_1 = 5, in_1_w_0 = 5, y_0_0 = 9, y_0_1 = 5, size = 9, other = 3 }

[work]
bytes = "8 * in_0_0 * in_0_1"
)text";
constexpr const char* mode_interface =
    R"text({"entry": "custom_kernel", "files": {}, "arguments": [{"tuple": [{"tensor": "in_0"},
 {"dict": [["w", {"tensor": "in_1_w"}], ["scale", {"scalar": "in_1_scale"}]]}, {"value": null}, {"buffer": "in_3"}]}],
 "bools": [], "shapes": {}, "orders": {"in_0": [1, 0]}, "types": {}, "buffers": {"in_3": {"of": "y_0"}}})text";
constexpr const char* mode_problem =
    R"text({"files": {"reference.py": ""}, "cases": {"test-0": {"size": 6}, "benchmark-0": {"size": 9}}, "ranking": "last",
 "seconds": 180, "unique": true, "double": true, "notes": [], "buffers": ["in_3"], "tests": ["test-0"],
 "benchmarks": ["benchmark-0"], "output": {"code": {"tuple": [{"tensor": "y_0"}]}, "facts": {}}})text";
constexpr const char* mode_candidate = R"text(/* hone 1
[[launch]]
kernel = "scaled"
grid = ["ceil_div(size * y_0_1, 64)"]
block = [64]
args = ["in_0", "in_1_w", "y_0", "in_0_0", "in_0_1", "in_1_scale", "size / 2"]
*/
// Streams over the input.
extern "C" __global__ void scaled(const float* x, const float* w, float* y, int rows, int columns, float s, int half) {}
)text";

constexpr const char* python = R"text(import torch
import hone_light
from hone_light import load as short, raw

SOURCE = "__global__ void k() {}"

class ModelNew(torch.nn.Module):
    def forward(self, x):
        return x
)text";

class ExportedPython : public testing::Test {
 protected:
  void SetUp() override {
    write("task/task.toml", task);
    write("task/reference.py", problem);
    write("problem.py", problem);
    write("candidate.cu", candidate);
    write("candidate.py", python);
    write("mode/task.toml", mode_task);
    write("mode/reference.py", "# generate_input and ref_kernel\n");
    write("mode/interface.json", mode_interface);
    write("mode/problem.json", mode_problem);
    write("mode.cu", mode_candidate);
  }
  void write(const std::string& name, const std::string& text) {
    fs::create_directories((hone_.folder() / name).parent_path());
    std::ofstream(hone_.folder() / name) << text;
  }
  std::string path(const std::string& name) const { return hone_.folder() / name; }
  Hone hone_;
};

TEST_F(ExportedPython, IsTakenByTheOfficialEvaluators) {
  const std::string asked =
      "/usr/bin/python3 -I -c 'import importlib.util as u; exit(u.find_spec(\"torch\") is None)'";
  if (std::system((asked + " > /dev/null 2>&1").c_str()) != 0)
    GTEST_SKIP() << "/usr/bin/python3 has no torch";
  const auto made =
      hone_.run({"export", path("candidate.cu"), "--task", path("task"), "--format", "kernelbench",
                 "--set", "BLOCK=128", "--out", path("exports"), "--python", "/usr/bin/python3"});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(made.err, "");
  fs::rename(path("exports/exported_kernelbench.py"), path("kernelbench.py"));
  const auto mode = hone_.run({"export", path("mode.cu"), "--task", path("mode"), "--format",
                               "gpumode", "--out", path("exports")});
  ASSERT_EQ(mode.code, 0) << mode.err;
  fs::rename(path("exports/mode_gpumode.py"), path("gpumode.py"));
  const auto pasted = hone_.run(
      {"export", path("candidate.py"), "--format", "kernelbench", "--out", path("exports")});
  ASSERT_EQ(pasted.code, 0) << pasted.err;
  fs::rename(path("exports/candidate_kernelbench.py"), path("loaded.py"));
  const auto operation =
      hone_.run({"export", path("candidate.cu"), "--task", path("task"), "--format", "torch",
                 "--set", "BLOCK=128", "--out", path("exports")});
  ASSERT_EQ(operation.code, 0) << operation.err;
  fs::rename(path("exports/exported_torch.py"), path("for_torch.py"));
  const auto checked = hone_.run_program(
      {"/usr/bin/python3", "-B", HONE_EXPORT_CHECKS "/evaluated.py", hone_.folder()});
  EXPECT_EQ(checked.code, 0) << checked.err << checked.out;
}

TEST_F(ExportedPython, SaysWhatCannotBeExported) {
  const auto said = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "export");
    const auto finished = hone_.run(words);
    EXPECT_NE(finished.code, 0);
    return finished.err;
  };
  EXPECT_THAT(said({path("candidate.py"), "--format", "gpumode"}), HasSubstr("def custom_kernel"));
  write("other.cu", std::string(mode_candidate)
                        .replace(std::string(mode_candidate).find("size / 2"), 4, "other"));
  EXPECT_THAT(said({path("other.cu"), "--task", path("mode"), "--format", "gpumode"}),
              HasSubstr("the symbol other is no extent"));
  EXPECT_THAT(said({path("candidate.cu"), "--task", path("task"), "--format", "gpumode"}),
              HasSubstr("no problem of GPU MODE"));
  EXPECT_THAT(said({path("candidate.cu"), "--task", path("task"), "--format", "cuda"}),
              HasSubstr("calls operations of torch's"));
  EXPECT_THAT(said({path("candidate.py")}), HasSubstr("--format kernelbench"));
  EXPECT_THAT(said({path("candidate.cu"), "--format", "kernelbench"}),
              HasSubstr("hone export TASK CANDIDATE"));
  EXPECT_THAT(said({HONE_EXAMPLES "/softmax/seed.cu", "--task", HONE_EXAMPLES "/softmax",
                    "--format", "kernelbench"}),
              HasSubstr("reference.py"));
}

// Names of all files, and their texts.
std::map<std::string, std::string> files_in(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file())
      files[fs::relative(entry.path(), folder).string()] = base::read_file(entry.path());
  return files;
}

TEST_F(ExportedPython, IsAModuleForCallersOfTorch) {
  const auto made =
      hone_.run({"export", HONE_EXAMPLES "/layernorm/seed.cu", "--task", HONE_EXAMPLES "/layernorm",
                 "--format", "torch", "--out", path("exports")});
  ASSERT_EQ(made.code, 0) << made.err;
  const std::string text = files_in(path("exports")).at("layernorm_torch.py");
  EXPECT_THAT(text, HasSubstr("torch.library.custom_op(\"hone::layernorm\""));
  EXPECT_THAT(text, HasSubstr("register_fake"));
  EXPECT_THAT(text, HasSubstr("rows = x.shape[0]"));
  const auto compiled = hone_.run_program(
      {"/usr/bin/python3", "-B", "-m", "py_compile", path("exports/layernorm_torch.py")});
  EXPECT_EQ(compiled.code, 0) << compiled.err;
}

TEST_F(ExportedPython, IsAProjectForKernelBuilderThatSaysItWasNotBuiltByIt) {
  const auto made =
      hone_.run({"export", HONE_EXAMPLES "/softmax/seed.cu", "--task", HONE_EXAMPLES "/softmax",
                 "--format", "hf-kernels", "--out", path("exports")});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(made.err, HasSubstr("not built by kernel-builder"));
  const auto files = files_in(path("exports"));
  for (const char* name :
       {"build.toml", "csrc/softmax.cu", "csrc/softmax.h", "csrc/softmax_tensors.cpp", "flake.nix",
        "plain/CMakeLists.txt", "torch-ext/torch_binding.cpp", "torch-ext/torch_binding.h",
        "torch-ext/softmax/__init__.py"})
    EXPECT_TRUE(files.contains(name)) << name;
  EXPECT_THAT(files.at("build.toml"), HasSubstr("[kernel.softmax]"));
  EXPECT_THAT(files.at("torch-ext/torch_binding.cpp"),
              HasSubstr("ops.def(\"softmax(Tensor x) -> Tensor\")"));
  EXPECT_THAT(files.at("csrc/softmax_tensors.cpp"), HasSubstr("const int64_t cols = x.size(1);"));
  EXPECT_THAT(files.at("README.md"), HasSubstr("was not built by kernel-builder"));
}

TEST_F(ExportedPython, WarnsOfWordsThatAreRefused) {
  write("threads.py",
        "import threading\nimport hone_light\ndef custom_kernel(data): return data  # no "
        "Stream\nclass ModelNew: pass\n");
  const auto bench = hone_.run(
      {"export", path("threads.py"), "--format", "kernelbench", "--out", path("exports")});
  EXPECT_EQ(bench.code, 0);
  EXPECT_THAT(bench.err, HasSubstr("the word pass"));
  EXPECT_THAT(bench.err, HasSubstr("threads"));
  const auto mode =
      hone_.run({"export", path("threads.py"), "--format", "gpumode", "--out", path("exports")});
  EXPECT_EQ(mode.code, 0);
  EXPECT_THAT(mode.err, HasSubstr("the word \"stream\""));
}

}  // namespace
}  // namespace hone::end_to_end
