// `hone run --write python` through the binary: models that write Python, judged on the CPU with
// whatever torch is installed. One run serves all tests, because each process that imports torch
// costs seconds.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>

#include "base/files.h"
#include "base/json_probe.h"
#include "hone_binary.h"
#include "store/archive.h"
#include "store/research.h"

namespace hone::end_to_end {
namespace {

namespace fs = std::filesystem;
using base::JsonProbe;
using testing::AllOf;
using testing::HasSubstr;

constexpr const char* problem = R"(import torch
import torch.nn as nn

class Model(nn.Module):
    def __init__(self, inner, outer):
        super().__init__()
        self.linear = nn.Linear(inner, outer)

    def forward(self, x):
        return torch.relu(self.linear(x))

def get_inputs():
    return [torch.randn(16, 32)]

def get_init_inputs():
    return [32, 8]
)";

// Nothing usable, then a candidate that raises, one that is wrong, and one that is right; in the
// first generation a wrong change of it, as edits, with a probe beside.
constexpr const char* writing_model = R"sh(#!/bin/sh
cat > "$PROMPTS/$(echo "$HONE_STEP" | tr / _)"
module() {
  printf '```python\nimport torch\nimport torch.nn as nn\n\n\nclass ModelNew(nn.Module):\n    def __init__(self, inner, outer):\n        super().__init__()\n        self.linear = nn.Linear(inner, outer)\n\n    def forward(self, x):\n        %s\n```\n' "$1"
}
report() { printf '## Report\nThe `forward` does it.\n'; }
case $HONE_STEP in
  seed/bootstrap-1/try-1) module 'return x'; module 'return -x'; report ;;
  seed/bootstrap-1/try-2) printf '```python\nclass Model:\n    x = 1\n```\n'; report ;;
  seed/bootstrap-1/try-3) module 'return torch.relu(x @ no_such_weight)'; report ;;
  seed/bootstrap-2/try-1) module 'return torch.relu('; report ;;
  seed/bootstrap-2/try-2) module 'return self.linear(x)'; report ;;
  seed/bootstrap-2/try-3) module 'return self.linear(x).clamp(min=0)'; report ;;
  */designer/*) echo '{"avenues": ["a","b","c","d","e","f","g","h","i","j"], "experiments": [
    {"description": "one", "rubric": "r", "performance": [10, 20], "innovation": 90, "kind": "kernel"},
    {"description": "two", "rubric": "r", "performance": [5, 15], "innovation": 10, "kind": "kernel"},
    {"description": "three", "rubric": "r", "performance": [3, 9], "innovation": 20, "kind": "kernel"}]}' ;;
  */writer-1/*) printf '<<<<<<< SEARCH\n        return self.linear(x).clamp(min=0)\n=======\n        return self.linear(x).clamp(min=-1)\n>>>>>>> REPLACE\n'; report ;;
  */oneshot-*) module 'return x'; report ;;
  */learner/*) echo '{"findings": [], "reports": []}' ;;
esac
)sh";

class PythonRun : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (std::system("/usr/bin/python3 -I -c 'import torch' > /dev/null 2>&1") != 0 || !has_opencl())
      return;
    hone_ = std::make_unique<Hone>();
    fs::create_directories(folder() / "checkout" / "KernelBench" / "level1");
    fs::create_directories(folder() / "prompts");
    base::write_file_atomically(folder() / "checkout" / "KernelBench" / "level1" / "1_Problem.py",
                                problem);
    base::write_file_atomically(folder() / "model.sh", writing_model);
    ::chmod((folder() / "model.sh").c_str(), 0755);
    hone_->set("PROMPTS", folder() / "prompts");
    hone_->set("HONE_KERNELBENCH", folder() / "checkout");
    hone_->set("HONE_PYTHON", "/usr/bin/python3");
    finished_ = hone_->run({"run", "kernelbench:level1/1", "--write", "python", "--device",
                            "opencl:0", "--llm", "exec:" + (folder() / "model.sh").string(),
                            "--max-candidates", "7", "--width", "1", "--json"});
    run_ = base::text_field(finished_.out, "run");
  }
  static void TearDownTestSuite() { hone_.reset(); }
  void SetUp() override {
    if (!hone_) GTEST_SKIP() << "/usr/bin/python3 has no torch, or there is no OpenCL device";
    ASSERT_EQ(finished_.code, 0) << finished_.err << finished_.out;
  }
  static const fs::path& folder() { return hone_->folder(); }
  static std::string prompt(const std::string& step) {
    return base::read_file(folder() / "prompts" / step);
  }
  static inline std::unique_ptr<Hone> hone_;
  static inline Finished finished_;
  static inline std::string run_;
};

TEST_F(PythonRun, EndsWithTheRightCandidateAsItsBest) {
  const JsonProbe result(finished_.out);
  EXPECT_EQ(result["state"], "finished");
  EXPECT_TRUE(result["certified"]);
  EXPECT_EQ(result["candidates"]["all"], 5) << "two answers were no candidates";
  EXPECT_EQ(result["candidates"]["accepted"], 1);
  const std::string best = folder() / "best.py";
  ASSERT_EQ(hone_->run({"best", run_, "-o", best}).code, 0);
  EXPECT_THAT(base::read_file(best), HasSubstr("clamp(min=0)"));
  EXPECT_THAT(hone_->run({"diff", run_ + ":3", run_}).out,
              HasSubstr("+        return self.linear(x).clamp(min=0)"));
  EXPECT_THAT(hone_->run({"show", run_ + ":4"}).out,
              AllOf(HasSubstr("python"), HasSubstr("class ModelNew")));
  const auto exported =
      hone_->run({"export", best, "--format", "kernelbench", "--out", folder() / "exported"});
  EXPECT_EQ(exported.code, 0) << exported.err;
  const auto again = hone_->run({"resume", run_, "--json"});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(JsonProbe(again.out)["best"], result["best"]);
}

TEST_F(PythonRun, SaysWhatACandidateGetsAndSendsBackWhatWasWrongWithOne) {
  const std::string first = prompt("seed_bootstrap-1_try-1");
  EXPECT_THAT(first, AllOf(HasSubstr("`model = ModelNew(32, 8)`"), HasSubstr("`model(x)`"),
                           HasSubstr("`linear.weight` [8,32], the input `linear_weight`"),
                           HasSubstr("```python")));
  EXPECT_THAT(first, testing::Not(HasSubstr("/* hone 1")));
  EXPECT_THAT(prompt("seed_bootstrap-1_try-2"), HasSubstr("more than one source"));
  EXPECT_THAT(prompt("seed_bootstrap-1_try-3"), HasSubstr("defines no ModelNew"));
  EXPECT_THAT(prompt("seed_bootstrap-2_try-2"),
              AllOf(HasSubstr("build_failed"), HasSubstr("SyntaxError")));
  EXPECT_THAT(prompt("seed_bootstrap-2_try-3"),
              AllOf(HasSubstr("Outcome: wrong"), HasSubstr("elements are wrong")));
}

TEST_F(PythonRun, TellsTheDesignerWhatLimitsTheBasisAsFarAsItIsKnown) {
  EXPECT_THAT(prompt("g001_designer_try-1"),
              AllOf(HasSubstr("What limits the basis"), HasSubstr("clamp(min=0)"),
                    HasSubstr("Candidates are modules in Python")));
}

TEST_F(PythonRun, IsProfiledByWhatIsKnownOfTheCallAsAWhole) {
  const std::string best = folder() / "profiled.py";
  ASSERT_EQ(hone_->run({"best", run_, "-o", best}).code, 0);
  const auto profiled =
      hone_->run({"profile", "kernelbench:level1/1", best, "--device", "opencl:0", "--json"});
  ASSERT_EQ(profiled.code, 0) << profiled.err;
  const JsonProbe profile(profiled.out);
  EXPECT_GT(profile["seconds"].number(), 0);
  EXPECT_THAT(profile["notes"].dump(), AllOf(HasSubstr("a CPU keeps no records"),
                                             HasSubstr("This is a candidate in Python")));
  EXPECT_THAT(profile["metrics"].dump(),
              AllOf(HasSubstr("time.first_call"), HasSubstr("error.rms")));
  const auto again = hone_->run({"profile", "--again", profile["id"]});
  EXPECT_EQ(again.code, 0) << again.err;
}

TEST_F(PythonRun, GoesToAnotherMachineAndBackInABundle) {
  const std::string away = folder() / "away", device = folder() / "device.json",
                    seed = folder() / "seed.py", packed = folder() / "packed",
                    results = folder() / "results";
  ASSERT_EQ(hone_->run({"best", run_, "-o", seed}).code, 0);
  ASSERT_EQ(hone_->run({"bundle", "device", "-o", device, "--device", "opencl:0"}).code, 0);
  const auto begun = hone_->run({"run", "kernelbench:level1/1", "--write", "python", "--executor",
                                 "bundle:" + away, "--device", device, "--llm",
                                 "exec:" + (folder() / "model.sh").string(), "--strategy",
                                 "oneshot", "--max-candidates", "1", "--seed", seed, "--json"});
  ASSERT_EQ(begun.code, 20) << begun.err;
  ASSERT_EQ(hone_->run({"bundle", "pack", away, "-o", packed}).code, 0);
  const auto done = hone_->run({"bundle", "run", packed, "-o", results, "--device", "opencl:0"});
  ASSERT_EQ(done.code, 0) << done.err;
  ASSERT_EQ(hone_->run({"bundle", "import", away, results}).code, 0);
  const std::string run = JsonProbe(begun.out)["run"];
  const auto resumed = hone_->run({"resume", run, "--json"});
  EXPECT_EQ(resumed.code, 20) << "the attempt of the model is away now: " << resumed.err;
  EXPECT_EQ(JsonProbe(resumed.out)["candidates"]["accepted"], 1);
}

// No torch is needed to be refused.
TEST(PythonRunWords, AreRefusedWhereTheyDoNotFit) {
  const Hone hone;
  base::write_file_atomically(hone.folder() / "seed.py", "class ModelNew: 1\n");
  const std::string task = std::string(HONE_EXAMPLES) + "/softmax";
  const auto none =
      hone.run({"run", task, "--write", "python", "--llm", "exec:true", "--device", "opencl:0"});
  EXPECT_EQ(none.code, 3) << none.err;
  EXPECT_THAT(none.err, HasSubstr("takes no candidates in Python"));
  const auto seed =
      hone.run({"run", task, "--seed", hone.folder() / "seed.py", "--llm", "exec:true"});
  EXPECT_EQ(seed.code, 2) << seed.err;
  EXPECT_THAT(seed.err, HasSubstr("--write python"));
}

}  // namespace
}  // namespace hone::end_to_end
