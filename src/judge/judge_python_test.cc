// Candidates in Python on the CPU, with whatever torch is installed. One process for all: its warm parent imports torch
// once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <set>

#include "base/error.h"
#include "base/files.h"
#include "base/resources.h"
#include "device/device.h"
#include "judge/guards.h"
#include "judge/judge.h"
#include "judge/python_candidate.h"
#include "judge/selftest.h"
#include "judge/specimens.h"
#include "runner/nursery.h"
#include "task/candidate_loader.h"
#include "task/task_loader.h"

namespace hone::judge {
namespace {

using core::Outcome;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// y = x * w, w being a parameter.
class PythonJudge : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (std::system("/usr/bin/python3 -I -c 'import torch' > /dev/null 2>&1") != 0) {
      missing_ = "/usr/bin/python3 has no torch";
      return;
    }
    ::setenv("HONE_PYTHON", "/usr/bin/python3", 1);
    try {
      info_ = device::find_device("opencl:0");
    } catch (const base::Error& error) {
      missing_ = error.what();
      return;
    }
    folder_ = std::make_unique<base::TemporaryFolder>("python-judge");
    for (const char* name : {"task.toml", "reference.cc", "interface.json"})
      base::write_file_atomically(folder_->path() / name,
                                  base::resource(std::string("selftest/tasks/weighted/") + name));
    JudgeOptions options;
    options.call_seconds = 3;
    options.sampling = SamplingRule{2, 2, 0, 0.1};
    judge_ = std::make_unique<Judge>(*task::load_task(folder_->path()), info_, options);
  }
  static void TearDownTestSuite() {
    judge_.reset();
    folder_.reset();
  }
  void SetUp() override {
    if (!missing_.empty()) GTEST_SKIP() << missing_;
  }
  static core::Evaluation verdict(const std::string& text) {
    const auto candidate = task::candidate_from("import torch\n" + text, core::Language::python, "candidate.py");
    return judge_->evaluate(*candidate, {});
  }
  // A ModelNew with this expression as its result, and this to hold its weights.
  static core::Evaluation model(const std::string& result, const std::string& name = "weight") {
    return verdict(
        "class ModelNew(torch.nn.Module):\n    def __init__(self, columns):\n        super().__init__()\n"
        "        self." +
        name +
        " = torch.nn.Parameter(torch.rand(columns))\n"
        "    def forward(self, x):\n        y = x * self." +
        name + "\n        return " + result + "\n");
  }
  static std::string why(const core::Evaluation& evaluation) {
    for (const auto& evidence : evaluation.evidence)
      if (evidence.convicts) return evidence.text;
    return "";
  }
  static inline std::string missing_;
  static inline core::DeviceInfo info_;
  static inline std::unique_ptr<base::TemporaryFolder> folder_;
  static inline std::unique_ptr<Judge> judge_;
};

TEST_F(PythonJudge, ForksItsWorkersFromAWarmParent) {
  if (!runner::isolation_problem().empty()) GTEST_SKIP() << runner::isolation_problem();
  const auto options = runner::python_options(info_, false, {runner::find_python(), "candidate"});
  const auto start = [&] {
    return runner::start_forked(options.python->python, "worker.py", options.sandbox, {options.python->role});
  };
  const auto one = start(), other = start();
  ASSERT_TRUE(one && other);
  EXPECT_GT(one->worker(), 0);
  EXPECT_NE(one->worker(), other->worker());
  EXPECT_THAT(one->strangers(), testing::IsEmpty()) << "a pid name space of its own";
}

TEST_F(PythonJudge, HandsItsWeightsOverByName) {
  const auto right = model("y");
  EXPECT_EQ(right.outcome, Outcome::accepted) << why(right);
  EXPECT_THAT(right.key.compiler, AllOf(HasSubstr("Python 3"), HasSubstr("torch")));
  const auto nameless = model("y", "scale");
  EXPECT_EQ(nameless.outcome, Outcome::wrong);
  EXPECT_THAT(nameless.evidence.front().text, HasSubstr("no parameter of ModelNew was found for weight"));
}

TEST_F(PythonJudge, TakesOnlyWhatWasAskedFor) {
  for (const auto& [result, said] : {std::pair{"y[:, :8]", "y has the shape [128, 8] instead of [128, 512]"},
                                     std::pair{"y.double()", "y has the type torch.float64 instead of torch.float32"},
                                     std::pair{"(y, y)", "the call gave 2 results instead of 1"},
                                     std::pair{"y.to('meta')", "y lies on the device meta, not on cpu"},
                                     std::pair{"y.to_sparse()", "y is no dense tensor"},
                                     std::pair{"None", "y is a builtins.NoneType, not a plain torch.Tensor"}}) {
    const auto evaluation = model(result);
    EXPECT_EQ(evaluation.outcome, Outcome::wrong) << result;
    EXPECT_THAT(why(evaluation), HasSubstr(said)) << result;
  }
  EXPECT_EQ(model("y.t().contiguous().t()").outcome, Outcome::accepted) << "strides are its own affair";
}

TEST_F(PythonJudge, TellsFailuresInTheCandidatesOwnLines) {
  const auto raises = model("undefined");
  EXPECT_EQ(raises.outcome, Outcome::launch_failed);
  EXPECT_THAT(why(raises), AllOf(HasSubstr("File \"candidate.py\", line 8, in forward"),
                                 HasSubstr("NameError: name 'undefined' is not defined"), Not(HasSubstr("call_of"))));
  for (const auto& [text, said] :
       {std::pair{"class Other: pass\n", "candidate.py defines no ModelNew"},
        std::pair{"class ModelNew(\n", "SyntaxError"}, std::pair{"import sys\nsys.exit(0)\n", "SystemExit: 0"},
        std::pair{"raise RuntimeError('at import')\n", "RuntimeError: at import"},
        std::pair{"class ModelNew(torch.nn.Module):\n    def __init__(self): pass\n", "positional argument"},
        std::pair{"def ModelNew(columns): return 3\n", "ModelNew is no torch.nn.Module but a int"}}) {
    const auto evaluation = verdict(text);
    EXPECT_EQ(evaluation.outcome, Outcome::build_failed) << text;
    EXPECT_THAT(why(evaluation), HasSubstr(said)) << text;
  }
  const auto dies = verdict("import os\nos._exit(3)\n");
  EXPECT_EQ(dies.outcome, Outcome::crashed);
  EXPECT_THAT(why(dies), HasSubstr("exited with code 3"));
}

TEST_F(PythonJudge, RefusesThemWhereNothingSaysHowTheyAreCalled) {
  core::Task task = judge_->task();
  task.interface.reset();
  EXPECT_THAT(no_python_here(task), HasSubstr("its folder has no interface.json"));
}

TEST(PythonCandidate, KnowsKernelsOfLibraries) {
  EXPECT_TRUE(is_library_kernel("void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>>"));
  EXPECT_TRUE(is_library_kernel("sm90_xmma_gemm_f32f32_tf32f32_f32_tn_n_tilesize128x128x32"));
  EXPECT_TRUE(is_library_kernel("triton_poi_fused_relu_0"));
  EXPECT_FALSE(is_library_kernel("row_softmax"));
  EXPECT_FALSE(is_library_kernel("matmul_kernel"));
}

TEST_F(PythonJudge, CatchesEveryCheatAndAcceptsEveryTwin) {
  SelftestOptions options;
  options.kind = "python";
  int caught = 0;
  for (const auto& line : selftest(info_, options)) {
    EXPECT_TRUE(line.good()) << line.specimen << ": " << line.verdict << " " << line.text << line.twin_text;
    caught += line.state == SelftestLine::State::caught ? 1 : 0;
  }
  EXPECT_GE(caught, 35);
}

// No guard is a sham: without it, and only without it, its specimens come through.
TEST_F(PythonJudge, LetsCheatsThroughWithoutTheirGuards) {
  SelftestOptions options;
  options.kind = "python";
  std::set<std::string> guards;
  for (const Specimen& specimen : python_specimens())
    if (!specimen.guard.empty() && can_be_tried(specimen, info_)) guards.emplace(specimen.guard);
  EXPECT_GE(guards.size(), 20u);
  for (const auto& guard : guards) {
    options.without = guard;
    for (const auto& line : selftest(info_, options))
      EXPECT_EQ(line.state, SelftestLine::State::through)
          << guard << ", " << line.specimen << ": " << line.verdict << " " << line.text;
  }
}

}  // namespace
}  // namespace hone::judge
