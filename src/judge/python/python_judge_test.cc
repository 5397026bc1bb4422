// Candidates in Python on the CPU, with whatever torch is installed. One process for all: its warm
// parent imports torch once. Judged without the guards that go by the clock: those are tested with
// times that the test decides.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <set>

#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "base/resources.h"
#include "device/device.h"
#include "judge/compare.h"
#include "judge/guards.h"
#include "judge/judge.h"
#include "judge/python/candidate.h"
#include "judge/python/record.h"
#include "judge/selftest.h"
#include "judge/specimens.h"
#include "runner/ahead.h"
#include "runner/fork_server.h"
#include "runner/wire.h"
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
    options.guards = without_clock();
    options.call_seconds = 120;  // for a busy machine; nothing here hangs
    options.sampling = SamplingRule{2, 2, 0, 0.1};
    options.calls_per_batch = 4;
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
    const auto candidate =
        task::candidate_from("import torch\n" + text, core::Language::python, "candidate.py");
    return judge_->evaluate(*candidate, {});
  }
  // A ModelNew with this expression as its result, and this to hold its weights.
  static std::string source(const std::string& result, const std::string& name = "weight") {
    return "import torch\nclass ModelNew(torch.nn.Module):\n    def __init__(self, columns):\n     "
           "   super().__init__()\n"
           "        self." +
           name +
           " = torch.nn.Parameter(torch.rand(columns))\n"
           "    def forward(self, x):\n        y = x * self." +
           name + "\n        return " + result + "\n";
  }
  static core::Evaluation model(const std::string& result, const std::string& name = "weight") {
    return verdict(source(result, name));
  }
  static double value_of(const core::Evaluation& evaluation, const std::string& tag) {
    for (const auto& metric : evaluation.metrics)
      if (metric.tag == tag && metric.value) return *metric.value;
    return 0;
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
    return runner::start_forked(options.python->python, "worker.py", options.sandbox,
                                {options.python->role});
  };
  const auto one = start(), other = start();
  ASSERT_TRUE(one && other);
  EXPECT_GT(one->worker(), 0);
  EXPECT_NE(one->worker(), other->worker());
  EXPECT_THAT(one->other_processes(), testing::IsEmpty()) << "a pid name space of its own";
}

TEST_F(PythonJudge, HandsItsWeightsOverByName) {
  const auto right = model("y");
  EXPECT_EQ(right.outcome, Outcome::accepted) << why(right);
  EXPECT_THAT(right.key.compiler, AllOf(HasSubstr("Python 3"), HasSubstr("torch")));
  const auto nameless = model("y", "scale");
  EXPECT_EQ(nameless.outcome, Outcome::wrong);
  EXPECT_THAT(nameless.evidence.front().text,
              HasSubstr("no parameter of ModelNew was found for weight"));
}

TEST_F(PythonJudge, ShowsWhatItsProcessSaysAsItsWords) {
  const auto nameless = model("y", "scale");
  EXPECT_THAT(nameless.evidence.front().text,
              testing::StartsWith("the candidate's process says: no parameter"));
  EXPECT_EQ(nameless.evidence.front().guard, "worker-text");
  EXPECT_EQ(nameless.evidence.front().row, 48);
}

TEST_F(PythonJudge, TakesOnlyWhatWasAskedFor) {
  for (const auto& [result, said] :
       {std::pair{"y[:, :8]", "y has the shape [128, 8] instead of [128, 512]"},
        std::pair{"y.double()", "y has the type torch.float64 instead of torch.float32"},
        std::pair{"(y, y)", "the call gave 2 results instead of 1"},
        std::pair{"torch.max(y, 1)", "the call gave 2 results instead of 1"},
        std::pair{"(y,)", "the call gave a tuple with one element instead of the tensor"},
        std::pair{"[y]", "the call gave a list with one element instead of the tensor"},
        std::pair{"y.to('meta')", "y lies on the device meta, not on cpu"},
        std::pair{"y.to_sparse()", "y is no dense tensor"},
        std::pair{"None", "y is a builtins.NoneType, not a plain torch.Tensor"}}) {
    const auto evaluation = model(result);
    EXPECT_EQ(evaluation.outcome, Outcome::wrong) << result;
    EXPECT_THAT(why(evaluation), HasSubstr(said)) << result;
  }
  EXPECT_EQ(model("y.t().contiguous().t()").outcome, Outcome::accepted)
      << "strides are its own affair";
}

TEST_F(PythonJudge, AsksForATupleWhereTheProblemGivesOne) {
  core::Task task = judge_->task();
  auto interface = *base::from_json<std::map<std::string, base::RawJson>>(*task.interface);
  interface["sequence"].text = "true";
  task.interface = base::json_line(interface);
  JudgeOptions options = judge_->options();
  Judge strict(task, info_, options);
  const auto verdict_on = [&](const char* result) {
    const auto candidate =
        task::candidate_from(source(result), core::Language::python, "candidate.py");
    return strict.evaluate(*candidate, {});
  };
  const auto right = verdict_on("(y,)");
  EXPECT_EQ(right.outcome, Outcome::accepted) << why(right);
  const auto plain = verdict_on("y");
  EXPECT_EQ(plain.outcome, Outcome::wrong);
  EXPECT_THAT(why(plain), HasSubstr("the call gave a Tensor instead of a tuple with one element"));
}

// One word, several calls: each is held against the truth of its own inputs.
TEST_F(PythonJudge, VerifiesEveryCallInARow) {
  const std::string row = "import sys\nrow, kept = {}, []\n";
  const std::string look =
      "(row.update(sys._getframe(2).f_locals), ";  // run_calls, above the module's own __call__
  const auto honest = model("y");
  ASSERT_EQ(honest.outcome, Outcome::accepted) << why(honest);
  EXPECT_EQ(value_of(honest, "clock.python_calls"), judge_->options().calls_per_batch);
  EXPECT_GT(value_of(honest, "clock.python_in_a_row"), 0);
  EXPECT_GT(value_of(honest, "clock.python_alone"), 0);
  for (const auto& [what, result] :
       {std::pair{"answers all calls but the last with nothing",
                  look + "y if row['index'] == len(row['calls']) - 1 else y * 0)[1]"},
        std::pair{"answers a call with the result of the one before",
                  look + "kept.append(y), kept[-1] if row['index'] == 0 else kept[-2])[2]"},
        std::pair{"answers all calls with the first one's result",
                  look + "kept.append(y) if row['index'] == 0 else 0, kept[-1])[2]"},
        std::pair{"gives the memory of another call's result",
                  look + "row['calls'][0].outputs[0][1].copy_(y) if row['index'] == 0 else "
                         "row['calls'][0].outputs[0][1])[1]"}}) {
    const auto evaluation = verdict(row + source(result));
    EXPECT_EQ(evaluation.outcome, Outcome::wrong) << what;
    EXPECT_THAT(why(evaluation), HasSubstr(" in a batch)")) << what;
  }
  const auto reused =
      verdict("kept = []\n" +
              source("(kept.append(torch.empty_like(y)) if not kept else 0, kept[0].copy_(y))[1]"));
  EXPECT_EQ(reused.outcome, Outcome::accepted)
      << "the same memory for all results is fine: " << why(reused);
}

TEST_F(PythonJudge, KnowsWhatACallCostsByItself) {
  const auto& which = judge_->task().cases.front();
  const auto shapes = task_shapes(judge_->task(), which);
  core::ResolvedPlan plan;
  plan.buffers = shapes.inputs;
  plan.buffers.insert(plan.buffers.end(), shapes.outputs.begin(), shapes.outputs.end());
  const BufferSet working(judge_->tensor_ops(), plan.buffers);
  const auto cost = judge_->python_costs().measure(*judge_, which, plan, working);
  EXPECT_GT(cost.request, 0);
  EXPECT_GE(cost.copy, 0);
  EXPECT_GE(cost.gap, 0);
}

TEST_F(PythonJudge, TellsFailuresInTheCandidatesOwnLines) {
  const auto raises = model("undefined");
  EXPECT_EQ(raises.outcome, Outcome::launch_failed);
  EXPECT_THAT(why(raises), AllOf(HasSubstr("File \"candidate.py\", line 9, in forward"),
                                 HasSubstr("NameError: name 'undefined' is not defined"),
                                 Not(HasSubstr("call_of"))));
  for (const auto& [text, said] :
       {std::pair{"class Other: pass\n", "candidate.py defines no ModelNew"},
        std::pair{"class ModelNew(\n", "SyntaxError"},
        std::pair{"import sys\nsys.exit(0)\n", "SystemExit: 0"},
        std::pair{"raise RuntimeError('at import')\n", "RuntimeError: at import"},
        std::pair{"class ModelNew(torch.nn.Module):\n    def __init__(self): pass\n",
                  "positional argument"},
        std::pair{"def ModelNew(columns): return 3\n",
                  "ModelNew is no torch.nn.Module but a int"}}) {
    const auto evaluation = verdict(text);
    EXPECT_EQ(evaluation.outcome, Outcome::build_failed) << text;
    EXPECT_THAT(why(evaluation), HasSubstr(said)) << text;
  }
  const auto dies = verdict("import os\nos._exit(3)\n");
  EXPECT_EQ(dies.outcome, Outcome::crashed);
  EXPECT_THAT(why(dies), HasSubstr("exited with code 3"));
}

// The memory of rows is used for one candidate after the other. The first leaves a mark beside its
// tensors when it is told to let go of them, the second looks for it before it is given any.
TEST_F(PythonJudge, KeepsNothingFromOneCandidateForTheNext) {
  const std::string touch = "import blocks, mmap\nMARK = b'left by another'\n";
  const std::string leaves =
      touch +
      "old = blocks.Blocks.drop\ndef drop(self):\n    for handle, size, _ in self.blocks:\n"
      "        memory = mmap.mmap(handle, size)\n        memory[64:64 + len(MARK)] = MARK\n        "
      "memory.close()\n"
      "    old(self)\nblocks.Blocks.drop = drop\n";
  const std::string looks =
      touch +
      "FOUND = []\nold = blocks.Blocks.take\ndef take(self, handle, size):\n    memory = "
      "mmap.mmap(handle, size)\n"
      "    FOUND.extend([1] if memory[64:64 + len(MARK)] == MARK else [])\n    memory.close()\n"
      "    return old(self, handle, size)\nblocks.Blocks.take = take\n";
  EXPECT_EQ(verdict(leaves + source("y")).outcome, Outcome::accepted);
  EXPECT_EQ(verdict(looks + source("y if not FOUND else y + 1")).outcome, Outcome::accepted);
}

TEST(PythonCall, TellsWhoCopiesTheResults) {
  const auto copied = [](const char* interface) {
    core::Task task;
    if (interface != nullptr) task.interface = interface;
    return !hands_over_outputs(task);
  };
  EXPECT_TRUE(copied(nullptr));
  EXPECT_TRUE(copied(R"({"buffers": {"z": 1}})"));
  EXPECT_TRUE(copied(R"({"entry": "ModelNew", "arguments": [{"tensor": "x"}]})"));
  EXPECT_TRUE(copied(
      R"({"arguments": [{"tuple": [{"tensor": "x"}, {"buffer": "z"}]}], "buffers": {"z": {"of": null}}})"));
  EXPECT_FALSE(copied(
      R"({"arguments": [{"tuple": [{"tensor": "x"}, {"buffer": "z"}]}], "buffers": {"z": {"of": "y"}}})"));
  EXPECT_FALSE(copied(R"({"arguments": [{"list": [{"tensor": "x"}, {"output": "y"}]}]})"));
}

// A candidate that cannot be loaded unless a compiler has left its file, which it does where there
// is no device.
TEST_F(PythonJudge, GivesACandidateWhatWasCompiledBeforeItsTurn) {
  const std::string compiles =
      "import os\nFOLDER = '/tmp/torch_extensions/mine'\n"
      "if 'TORCH_CUDA_ARCH_LIST' in os.environ:\n    os.makedirs(FOLDER)\n    open(FOLDER + "
      "'/built', 'w').write(os.environ['TORCH_CUDA_ARCH_LIST'])\n"
      "elif open(FOLDER + '/built').read() != '9.0+PTX':\n    raise RuntimeError('for another "
      "device')\n";
  const auto candidate =
      task::candidate_from(compiles + source("y"), core::Language::python, "candidate.py");
  auto info = info_;
  info.arch = "sm_90a";
  const auto ahead = runner::compile_ahead(runner::find_python(), info,
                                           python_image(judge_->task(), *candidate), 600);
  ASSERT_TRUE(ahead);
  EvaluateOptions with;
  with.ahead = &*ahead;
  EXPECT_EQ(judge_->evaluate(*candidate, with).outcome, Outcome::accepted);
  EXPECT_EQ(judge_->evaluate(*candidate, {}).outcome, Outcome::build_failed);
  // Whatever comes of it, it is the candidate's own.
  const base::Fd damaged = runner::memory_file("no archive", "damaged");
  with.ahead = &damaged;
  EXPECT_EQ(
      judge_
          ->evaluate(*task::candidate_from(source("y"), core::Language::python, "candidate.py"),
                     with)
          .outcome,
      Outcome::accepted);
  const auto never_ends = task::candidate_from("while True: continue\n" + source("y"),
                                               core::Language::python, "candidate.py");
  EXPECT_FALSE(runner::compile_ahead(runner::find_python(), info,
                                     python_image(judge_->task(), *never_ends), 0.5));
}

TEST_F(PythonJudge, RefusesThemWhereNothingSaysHowTheyAreCalled) {
  core::Task task = judge_->task();
  task.interface.reset();
  EXPECT_THAT(no_python_here(task), HasSubstr("its folder has no interface.json"));
}

TEST(PythonCandidate, KnowsKernelsOfLibraries) {
  EXPECT_TRUE(is_library_kernel(
      "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>>"));
  EXPECT_TRUE(is_library_kernel("sm90_xmma_gemm_f32f32_tf32f32_f32_tn_n_tilesize128x128x32"));
  EXPECT_TRUE(is_library_kernel("triton_poi_fused_relu_0"));
  EXPECT_TRUE(is_library_kernel("cutlass_80_tensorop_s1688gemm_256x64_16x4_nn_align4"));
  EXPECT_FALSE(
      is_library_kernel("kernel_cutlass_gelu_kernel_tensorptrf32gmemalign16o1073741824_0"));
  EXPECT_FALSE(is_library_kernel("row_softmax"));
  EXPECT_FALSE(is_library_kernel("matmul_kernel"));
}

TEST_F(PythonJudge, ComparesTwoByCallsInARowThatAreAllVerified) {
  const auto candidate = [](const std::string& text) {
    return *task::candidate_from(text, core::Language::python, "candidate.py");
  };
  const auto honest = candidate(source("y")), other = candidate(source("y.clone()"));
  const CompareRule rule{.margin = 0.05, .resolution = 0, .fewest_rounds = 2, .most_rounds = 2};
  const auto result = compare(*judge_, honest, other, {}, {}, rule);
  ASSERT_TRUE(result.compared) << why(result.a) << why(result.b);
  EXPECT_GT(result.cases.at(0).median_a, 0);
  const auto lazy = candidate("import sys\nrow = {}\n" +
                              source("(row.update(sys._getframe(2).f_locals), y if row['index'] == "
                                     "len(row['calls']) - 1 else y * 0)[1]"));
  const auto caught = compare(*judge_, honest, lazy, {}, {}, rule);
  EXPECT_FALSE(caught.compared);
  EXPECT_EQ(caught.b.outcome, Outcome::wrong) << why(caught.b);
  EXPECT_THAT(why(caught.b), HasSubstr(" in a batch)"));
}

// Variants come in comparisons too, at random: 200 calls without one have a probability of 3e-12.
TEST_F(PythonJudge, AComparisonRefusesWhatStopsComputingOnVariants) {
  const base::TemporaryFolder folder("magnitude");
  for (const char* name : {"task.toml", "reference.cc", "interface.json"})
    base::write_file_atomically(folder.path() / name,
                                base::resource(std::string("selftest/tasks/magnitude/") + name));
  Judge judge(*task::load_task(folder.path()), info_, judge_->options());
  const auto candidate = [](const std::string& condition) {
    return *task::candidate_from(
        "calls = []\ndef custom_kernel(x):\n    calls.append(0)\n    return (x.abs() if " +
            condition + " else x).sum(1)\n",
        core::Language::python, "candidate.py");
  };
  const CompareRule rule{
      .margin = 1e-9, .resolution = 0, .fewest_rounds = 50, .most_rounds = 50, .seconds = 1e6};
  const auto caught = compare(judge, candidate("True"),
                              candidate("len(calls) < 20 or x.mean() > -0.1"), {}, {}, rule);
  EXPECT_FALSE(caught.compared);
  EXPECT_EQ(caught.b.outcome, Outcome::wrong) << why(caught.b);
  EXPECT_THAT(why(caught.b), HasSubstr("variant flipped"));
}

// All workers are one user's, whose threads the kernel counts together.
TEST_F(PythonJudge, TwoWithManyThreadsAreNotInEachOthersWay) {
  const auto busy = *task::candidate_from(
      "import threading\nfor _ in range(300): threading.Thread(target=threading.Event().wait, "
      "daemon=True).start()\n" +
          source("y"),
      core::Language::python, "candidate.py");
  const auto result =
      compare(*judge_, busy, busy, {}, {},
              CompareRule{.margin = 0.05, .resolution = 0, .fewest_rounds = 2, .most_rounds = 2});
  EXPECT_TRUE(result.compared) << why(result.a) << why(result.b);
}

TEST_F(PythonJudge, CatchesEveryCheatAndAcceptsEveryTwin) {
  SelftestOptions options;
  options.kind = "python";
  options.no_clock = true;
  int caught = 0;
  for (const auto& line : selftest(info_, options)) {
    EXPECT_TRUE(line.good()) << line.specimen << ": " << line.verdict << " " << line.text
                             << "; its twin: " << line.twin << " " << line.twin_text;
    caught += line.state == SelftestLine::State::caught ? 1 : 0;
  }
  EXPECT_EQ(caught, 36);
}

// No guard is a sham: without it, and only without it, its specimens come through.
TEST_F(PythonJudge, LetsCheatsThroughWithoutTheirGuards) {
  SelftestOptions options;
  options.kind = "python";
  options.no_clock = true;
  std::set<std::string> guards;
  for (const Specimen& specimen : python_specimens())
    if (specimen.guard != Guard::none && can_be_tried(specimen, info_) &&
        !needs_the_clock(specimen.guard))
      guards.emplace(name_of(specimen.guard));
  EXPECT_EQ(guards.size(), 24u);
  for (const auto& guard : guards) {
    options.without = guard;
    for (const auto& line : selftest(info_, options))
      EXPECT_EQ(line.state, SelftestLine::State::through)
          << guard << ", " << line.specimen << ": " << line.verdict << " " << line.text;
  }
}

}  // namespace
}  // namespace hone::judge
