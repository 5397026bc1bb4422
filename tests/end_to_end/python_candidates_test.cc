// Candidates in Python, judged on the CPU with whatever torch is installed: what a ModelNew may be,
// how its failures are told, and that its cheats are caught.
#include <fmt/format.h>
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

class PythonCandidates : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    has_torch_ = std::system("/usr/bin/python3 -I -c 'import torch' > /dev/null 2>&1") == 0;
    hone_ = std::make_unique<Hone>();
  }
  static void TearDownTestSuite() { hone_.reset(); }
  void SetUp() override {
    if (!has_torch_) GTEST_SKIP() << "/usr/bin/python3 has no torch";
    if (!has_opencl()) GTEST_SKIP() << "no OpenCL device";
  }
  static Finished run(std::vector<std::string> words) {
    words.insert(words.end(), {"--python", "/usr/bin/python3"});
    return hone_->run(words);
  }
  // The verdicts on these texts as candidates for the problem, by one judge.
  static JsonProbe verdicts(const std::vector<std::string>& texts) {
    std::vector<std::string> words = {"eval", "kernelbench:level1/1"};
    for (const auto& text : texts) {
      words.push_back(hone_->folder() / fmt::format("candidate{}.py", words.size()));
      std::ofstream(words.back()) << "import torch\nimport torch.nn as nn\n" << text;
    }
    words.insert(words.end(),
                 {"--device", "opencl:0", "--kernelbench", checkout(), "--no-record", "--json"});
    const auto finished = run(words);
    const JsonProbe body(finished.out);
    EXPECT_TRUE(body.contains("evaluations")) << finished.err << finished.out;
    return body["evaluations"];
  }
  static std::string why(const JsonProbe& evaluation) {
    for (const auto& evidence : evaluation["evidence"].items())
      if (evidence["convicts"] == true) return evidence["text"];
    return evaluation.dump();
  }
  static std::string checkout() {
    const fs::path level = hone_->folder() / "checkout" / "KernelBench" / "level1";
    if (!fs::exists(level)) {
      fs::create_directories(level);
      std::ofstream(level / "1_Problem.py") << R"(import torch
import torch.nn as nn

class Model(nn.Module):
    def __init__(self, inner, outer, shape):
        super().__init__()
        self.linear = nn.Linear(inner, outer)
        self.norm = nn.LayerNorm(shape)

    def forward(self, x, s):
        return self.norm(self.linear(x)) * s

def get_inputs():
    return [torch.rand(64, 128), 2.5]

def get_init_inputs():
    return [128, 64, (64,)]
)";
    }
    return hone_->folder() / "checkout";
  }
  static std::unique_ptr<Hone> hone_;
  static inline bool has_torch_ = false;
};
std::unique_ptr<Hone> PythonCandidates::hone_;

// A ModelNew with this expression as its result; its parameters have names of their own.
std::string model(const std::string& result) {
  return R"(class ModelNew(nn.Module):
    def __init__(self, inner, outer, shape):
        super().__init__()
        own = nn.Linear(inner, outer)
        self.w, self.b = own.weight, own.bias
        self.norm = nn.LayerNorm(shape)
        self.shape = shape

    def forward(self, x, s):
        y = torch.layer_norm(x @ self.w.t() + self.b, self.shape, self.norm.weight, self.norm.bias) * s
        return )" +
         result + "\n";
}

TEST_F(PythonCandidates, AModelNewIsJudgedLikeAnyCandidate) {
  const JsonProbe both = verdicts({model("y"), model("y / s")});
  const JsonProbe &right = both[0], &wrong = both[1];
  EXPECT_EQ(right["outcome"], "accepted") << right.dump();
  EXPECT_EQ(wrong["outcome"], "wrong");
  EXPECT_THAT(why(wrong), HasSubstr("elements are wrong"));
}

}  // namespace
}  // namespace hone::end_to_end
