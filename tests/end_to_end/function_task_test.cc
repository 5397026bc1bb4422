// A kernel of a person's own in Python, from the file to a verdict: `hone task new --from
// kernel.py`, on the CPU with torch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "base/json_probe.h"

#include "hone_binary.h"

namespace hone::end_to_end {
namespace {

namespace fs = std::filesystem;
using base::JsonProbe;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kernel = R"text(import torch

def rmsnorm(x, w, eps=1e-6):
    scale = torch.rsqrt(torch.mean(x * x, 1, keepdim=True) + eps)
    return (x * scale) * w
)text";

// This torch may be older than the registration: it is tried with one that only keeps what it is
// told.
constexpr const char* use = R"text(import sys, torch
class Operation:
    def __init__(self, name, function, schema): self.name, self.function, self.schema = name, function, schema
    def register_fake(self, fake): self.fake = fake
    def __call__(self, *arguments): return self.function(*arguments)
torch.library.custom_op = lambda name, function, mutates_args, schema, device_types=None: Operation(name, function, schema)
sys.path.insert(0, sys.argv[1])
import own_torch
x, w = torch.randn(7, 5), torch.rand(5)
assert torch.allclose(own_torch.own(x, w), x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-6) * w)
operation = own_torch._hone_operation_own
assert operation.name == "hone::own" and operation.schema == "(Tensor x, Tensor w) -> Tensor", operation.schema
fake = operation.fake(x, w)
assert fake.shape == (7, 5) and fake.dtype == torch.float32
)text";

class FunctionTask : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("/usr/bin/python3 -I -c 'import torch' > /dev/null 2>&1") != 0)
      GTEST_SKIP() << "/usr/bin/python3 has no torch";
    hone_.set("HONE_PYTHON", "/usr/bin/python3");
    write("kernel.py", kernel);
  }
  std::string path(const std::string& name) const { return hone_.folder() / name; }
  void write(const std::string& name, const std::string& text) {
    std::ofstream(path(name)) << text;
  }
  Finished make(std::vector<std::string> words) {
    words.insert(words.begin(), {"task", "new", path("own"), "--from", path("kernel.py")});
    return hone_.run(words);
  }
  // The example's reference, at sizes that a test can wait for.
  Finished make_example() {
    std::string reference = base::read_file(HONE_EXAMPLES "/triton/reference.py");
    reference.replace(reference.find("8192"), 4, "300");
    reference.replace(reference.find("4096"), 4, "200");
    write("reference.py", reference);
    return make({"--reference", path("reference.py")});
  }
  void becomes_an_operation_of_torchs() {
    const auto exported = hone_.run({"export", path("kernel.py"), "--task", path("own"), "--format",
                                     "torch", "-o", path("exported")});
    ASSERT_EQ(exported.code, 0) << exported.err;
    const std::string there =
        "cd " + hone_.folder().string() + " && " HONE_BINARY " export own kernel.py --format torch";
    EXPECT_EQ(hone_.run_program({"/bin/sh", "-c", there}).code, 0);
    EXPECT_TRUE(fs::exists(path("own-torch/own_torch.py")))
        << "TASK-FORMAT, where no folder is named";
    write("use.py", use);
    const auto used =
        hone_.run_program({"/usr/bin/python3", "-B", path("use.py"), path("exported")});
    EXPECT_EQ(used.code, 0) << used.err;
  }
  Hone hone_;
};

TEST_F(FunctionTask, IsAdmittedJudgesAndIsExported) {
  if (!has_opencl()) GTEST_SKIP() << "no OpenCL device";
  const auto made = make_example();
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("hone task check"));
  const auto checked = hone_.run({"task", "check", path("own"), "--device", "opencl:0", "--json"});
  ASSERT_EQ(checked.code, 0) << checked.err << checked.out;
  const JsonProbe admission(checked.out);
  EXPECT_EQ(admission["cases"].size(), 3u) << "the example's and two that were proposed";
  bool seed = false;
  for (const auto& check : admission["checks"].items())
    seed = seed || check["name"] == "seed.py is accepted";
  EXPECT_TRUE(seed) << "which is the kernel: " << checked.out;
  std::string wrong = kernel;
  wrong.replace(wrong.find(") * w"), 5, ")");
  write("wrong.py", wrong);
  const auto judged = hone_.run(
      {"eval", path("own"), path("wrong.py"), "--device", "opencl:0", "--no-record", "--json"});
  EXPECT_THAT(judged.out, HasSubstr("\"outcome\": \"wrong\"")) << judged.err;
  becomes_an_operation_of_torchs();
}

TEST_F(FunctionTask, ATimeLimitThatIsGivenHoldsForTheFirstCallToo) {
  if (!has_opencl()) GTEST_SKIP() << "no OpenCL device";
  ASSERT_EQ(make_example().code, 0);
  write("loops.py", "def rmsnorm(x, w, eps=1e-6):\n    while True: pass\n");
  const auto judged = hone_.run({"eval", path("own"), path("loops.py"), "--device", "opencl:0",
                                 "--no-record", "--time-limit", "2", "--json"});
  EXPECT_THAT(judged.out, HasSubstr("\"outcome\": \"timed_out\"")) << judged.err;
  EXPECT_THAT(judged.out, HasSubstr("within its limit of 2 s"));
  EXPECT_THAT(judged.out, HasSubstr("loops.py\\\", line 2 in rmsnorm"));
  for (const char* own : {"worker.py", "frozen", "Extension modules"})
    EXPECT_THAT(judged.out, Not(HasSubstr(own))) << "the candidate's own lines only";
}

TEST_F(FunctionTask, AnExampleThatIsNoPythonIsNotBlamedOnTheFile) {
  const auto made = make({"--example", "torch.randn(64, 32"});
  EXPECT_EQ(made.code, 3);
  EXPECT_THAT(made.err,
              HasSubstr("hone: --example 'torch.randn(64, 32' is no expression of Python"));
  write("kernel.py", "def a(x): return x\ndef b(x): return x\n");
  EXPECT_THAT(make({"--example", "torch.randn(64, 32)"}).err,
              HasSubstr("hone: kernel.py has several functions (a, b)"));
}

TEST_F(FunctionTask, AReferenceThatLoopsIsToldSo) {
  write("kernel.py", "def f(x):\n    while True: pass\n");
  const auto made = make({"--example", "torch.randn(64, 32)", "--reference-seconds", "1"});
  EXPECT_NE(made.code, 0);
  EXPECT_THAT(made.err, HasSubstr("did not finish within 1 s"));
  EXPECT_FALSE(fs::exists(path("own")));
}

}  // namespace
}  // namespace hone::end_to_end
