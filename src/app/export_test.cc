// What `hone export` writes and refuses: no device, no compiler.
#include "app/export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/resources.h"
#include "app/test_support.h"
#include "base/error.h"
#include "base/files.h"
#include "base/json_probe.h"

namespace hone::app {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

constexpr const char* task_text = R"(hone = 1
name = "copy"
summary = "Copies a vector."
[[input]]
name = "x"
dtype = "f32"
shape = ["n"]
draw = { kind = "normal", mean = 1.0 }
[[output]]
name = "y"
dtype = "f32"
shape = ["n"]
tolerance = { max = 1e-5, rms = 1e-5 }
[[case]]
name = "odd"
bind = { n = 77 }
use = "check"
[[case]]
name = "timed"
bind = { n = 4096 }
[work]
bytes = "8 * n"
flops = { f32 = "n" }
)";
constexpr const char* candidate_text = R"(/* hone 1
[tune]
ITEMS = { values = [1, 2], default = 1 }
[[launch]]
kernel = "copy"
grid = ["n / ITEMS"]
block = [1]
args = ["x", "y"]
*/
__kernel void copy(__global const float* x, __global float* y) { y[get_global_id(0)] = x[get_global_id(0)]; }
)";

struct ExportRequests : ::testing::Test {
  base::TemporaryFolder folder{"app-export-test"};
  RecordingSink sink;
  ExportRequest request;

  void SetUp() override {
    base::make_folder(path("copy"));
    base::write_file_atomically(path("copy") / "task.toml", task_text);
    base::write_file_atomically(path("copy") / "reference.cc",
                                "#include <hone/reference.h>\nHONE_REFERENCE(call) { "
                                "call.output(\"y\") = call.input(\"x\"); }\n");
    base::write_file_atomically(path("copy.cl"), candidate_text);
    request.task = path("copy").string();
    request.candidate = path("copy.cl").string();
    request.out = path("out").string();
  }
  std::filesystem::path path(const std::string& name) const { return folder.path() / name; }
  std::string refusal() {
    try {
      export_candidate(request, sink);
    } catch (const base::Error& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(ExportRequests, WriteFilesToTheFolder) {
  const auto result = export_candidate(request, sink);
  ASSERT_FALSE(result.files.empty());
  for (const auto& file : result.files)
    EXPECT_TRUE(std::filesystem::is_regular_file(file.path)) << file.path;
  EXPECT_THAT(base::probe(result)["written"].items(), Contains((path("out") / "copy.h").string()));
  EXPECT_EQ(base::probe(result)["written"].size(), result.files.size());
}

TEST_F(ExportRequests, DoNotOverwriteWhatHoldsSomethingElse) {
  export_candidate(request, sink);
  EXPECT_NO_THROW(export_candidate(request, sink)) << "the same text again";
  request.set = {"ITEMS=2"};
  EXPECT_THAT(refusal(), HasSubstr("--force"));
  request.force = true;
  EXPECT_EQ(refusal(), "");
  EXPECT_THAT(base::read_file(path("out") / "copy.cpp"), HasSubstr("-DITEMS=2"));
}

TEST_F(ExportRequests, SayWhatIsMissingOrDoesNotFit) {
  request.format = "fortran";
  EXPECT_THAT(refusal(), HasSubstr("--format fortran"));
  request.format = "cuda";
  EXPECT_THAT(refusal(), HasSubstr("is opencl source"));
  request.format = "kernelbench";
  EXPECT_THAT(refusal(), HasSubstr("this format is for CUDA and Python"));
  request.task = "";
  EXPECT_THAT(refusal(), HasSubstr("the task is missing"));
  EXPECT_FALSE(std::filesystem::exists(path("out")));
}

TEST_F(ExportRequests, PasteTheLoaderIntoACandidateInPython) {
  request.task = "";
  request.candidate = path("fast.py").string();
  base::write_file_atomically(request.candidate,
                              "import hone_light\n\nclass ModelNew:\n    pass\n");
  EXPECT_THAT(refusal(), HasSubstr("give --format kernelbench"));
  request.format = "kernelbench";
  const auto result = export_candidate(request, sink);
  ASSERT_EQ(result.files.size(), 1u);
  EXPECT_EQ(result.files[0].name, "fast_kernelbench.py");
  EXPECT_THAT(result.files[0].notes, Contains(HasSubstr("the word pass")));
  EXPECT_THAT(base::read_file(result.files[0].path), HasSubstr("def _hone_light():"));
}

TEST(ExportOfResources, WritesThemToAFolder) {
  const base::TemporaryFolder folder("app-resources-test");
  const auto result = export_resources({(folder.path() / "mine").string()});
  EXPECT_TRUE(std::filesystem::is_regular_file(folder.path() / "mine" / "export" / "cuda.cu"));
  EXPECT_EQ(base::probe(result)["written"][0], (folder.path() / "mine").string());
}

}  // namespace
}  // namespace hone::app
