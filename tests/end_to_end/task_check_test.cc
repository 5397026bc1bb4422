#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json_probe.h"
#include "hone_binary.h"
#include "replaced.h"

namespace hone::end_to_end {
namespace {

using base::JsonProbe;
using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

// A small task with one thing to change.
struct Draft {
  std::string inputs = "[[input]]\nname = \"x\"\ndtype = \"f32\"\nshape = [\"rows\", \"cols\"]\n";
  std::string tolerance = "{ max = 1e-5, rms = 1e-6 }";
  std::string dtype = "f32";
  std::string sizes = "[[case]]\nbind = { rows = 13, cols = 37 }\n";
  std::string body = "y[i] = std::sin(x[i]) + 2 * x[i];";  // of element i

  fs::path write(const fs::path& folder) const {
    base::make_folder(folder);
    base::write_file_atomically(
        folder / "task.toml",
        fmt::format("hone = 1\nname = \"{}\"\nsummary = \"A test.\"\n{}\n[[output]]\nname = "
                    "\"y\"\ndtype = \"{}\"\nshape = [\"rows\", \"cols\"]\ntolerance = {}\n{}\n"
                    "[work]\nbytes = \"8 * rows * cols\"\nflops = {{ f32 = \"rows * cols\" }}\n",
                    folder.filename().string(), inputs, dtype, tolerance, sizes));
    base::write_file_atomically(
        folder / "reference.cc",
        "#include <hone/reference.h>\n#include <cmath>\nHONE_REFERENCE(call) {\n  const auto x = "
        "call.input(\"x\");\n  auto& y = call.output(\"y\");\n"
        "  [[maybe_unused]] const auto cols = call.size(\"cols\");\n  for (int64_t i = 0; i < "
        "static_cast<int64_t>(y.size()); ++i) { " +
            body + " }\n}\n");
    return folder;
  }
};

class TaskCheck : public testing::Test {
 protected:
  // With the C++ reference alone: what is tested here does not depend on a device.
  JsonProbe check(const Draft& draft) {
    finished_ = hone_.run({"task", "check", draft.write(hone_.folder() / "trial").string(),
                           "--json", "--device", "fake:0"});
    return JsonProbe(finished_.out);
  }
  static std::string verdict(const JsonProbe& report, const std::string& name) {
    std::string worst = "absent";
    for (const auto& check : report["checks"].items())
      if (check["name"] == name && worst != "failed") worst = check["verdict"];
    return worst;
  }
  // One home for all of them: references that are alike are compiled once.
  static inline const Hone hone_;
  Finished finished_;
};

TEST_F(TaskCheck, AdmitsASoundTask) {
  const JsonProbe report = check({});
  EXPECT_EQ(finished_.code, 0) << finished_.out << finished_.err;
  EXPECT_TRUE(report["admitted"]);
  for (const char* name : {"zeros", "the mean of the answer", "the answer shuffled",
                           "x ignored: drawn anew", "x ignored: zeros", "x given back",
                           "x with a few elements changed", "spread", "honest single precision"})
    EXPECT_EQ(verdict(report, name), "ok") << name;
}

TEST_F(TaskCheck, RefusesAToleranceLargerThanTheOutput) {
  Draft draft;
  draft.tolerance = "{ max = 5, rms = 5 }";
  EXPECT_THAT(check(draft)["malformed"].dump(), HasSubstr("tolerance"));
  EXPECT_EQ(finished_.code, 3);
}

TEST_F(TaskCheck, RefusesAToleranceLargerThanWhatTheOutputVaries) {
  Draft draft;
  draft.tolerance = "{ max = 0.5, rms = 0.5 }";
  draft.body = "y[i] = 10 + std::sin(x[i]);";
  const JsonProbe report = check(draft);
  EXPECT_EQ(finished_.code, 1);
  EXPECT_EQ(verdict(report, "zeros"), "doubtful");
  for (const char* name :
       {"the mean of the answer", "the answer shuffled", "the answer to another call",
        "x ignored: drawn anew", "x ignored: zeros", "spread"})
    EXPECT_EQ(verdict(report, name), "failed") << name;
}

TEST_F(TaskCheck, RefusesAConstantAnswer) {
  Draft draft;
  draft.body = "y[i] = 3 + 0 * x[i];";
  const JsonProbe report = check(draft);
  EXPECT_EQ(finished_.code, 1);
  EXPECT_EQ(verdict(report, "spread"), "failed");
  EXPECT_EQ(verdict(report, "the mean of the answer"), "failed");
  EXPECT_EQ(verdict(report, "the answer to another call"), "failed");
  EXPECT_EQ(verdict(report, "zeros"), "ok");
}

TEST_F(TaskCheck, RefusesAnAnswerOfZeros) {
  Draft draft;
  draft.body = "y[i] = 0 * x[i];";
  EXPECT_EQ(verdict(check(draft), "zeros"), "failed");
  EXPECT_EQ(finished_.code, 1);
}

TEST_F(TaskCheck, RefusesRowsOfOneValue) {
  Draft draft;
  draft.body = "y[i] = std::sin(x[i / cols * cols]) + 1;";
  const JsonProbe report = check(draft);
  EXPECT_EQ(finished_.code, 1);
  EXPECT_EQ(verdict(report, "constant along axis 1"), "failed");
  EXPECT_EQ(verdict(report, "constant along axis 0"), "ok");
}

TEST_F(TaskCheck, RefusesAnInputThatDoesNotMatter) {
  Draft draft;
  draft.inputs += "[[input]]\nname = \"w\"\ndtype = \"f32\"\nshape = [\"cols\"]\n";
  const JsonProbe report = check(draft);
  EXPECT_EQ(finished_.code, 1);
  EXPECT_EQ(verdict(report, "w ignored: drawn anew"), "failed");
  EXPECT_EQ(verdict(report, "w with a few elements changed"), "failed");
  EXPECT_EQ(verdict(report, "x ignored: drawn anew"), "ok");
}

// Each element is scaled by the number of its range.
TEST_F(TaskCheck, DrawsEndsOfRangesAsAWhole) {
  Draft draft;
  draft.inputs +=
      "[[input]]\nname = \"ends\"\ndtype = \"i64\"\nshape = [\"cols\"]\n"
      "draw = { kind = \"ends\", total = \"rows * cols\", empty = 3 }\n";
  draft.body =
      "const auto& ends = call.integers(\"ends\"); int64_t part = 0; while (i >= ends.at(part)) "
      "++part; y[i] = x[i] * (1 + part);";
  const JsonProbe report = check(draft);
  EXPECT_EQ(finished_.code, 0) << finished_.out << finished_.err;
  EXPECT_EQ(verdict(report, "ends ignored: drawn anew"), "ok");
  EXPECT_EQ(verdict(report, "ends ignored: zeros"), "absent");
  EXPECT_EQ(verdict(report, "ends with a few elements changed"), "absent");
}

TEST_F(TaskCheck, RefusesATaskThatACopySolves) {
  Draft draft;
  draft.body = "y[i] = x[i];";
  EXPECT_EQ(verdict(check(draft), "x given back"), "failed");
  EXPECT_EQ(finished_.code, 1);
}

TEST_F(TaskCheck, ForgivesASizeOfOneWhereAnotherCaseStopsTheCopy) {
  Draft draft;
  draft.body = "y[i] = x[i] + (i > 0 ? x[i - 1] : 0);";
  draft.sizes += "[[case]]\nname = \"one\"\nbind = { rows = 1, cols = 1 }\nuse = \"check\"\n";
  const JsonProbe report = check(draft);
  EXPECT_EQ(finished_.code, 0) << finished_.out;
  EXPECT_THAT(report["notes"].dump(),
              HasSubstr("case one lets through what other cases stop: x given back"));
}

TEST_F(TaskCheck, RefusesAToleranceThatHonestKernelsMiss) {
  Draft draft;
  draft.tolerance = "{ max = 1e-9, rms = 1e-9 }";
  EXPECT_EQ(verdict(check(draft), "honest single precision"), "failed");
  EXPECT_EQ(finished_.code, 1);
}

TEST_F(TaskCheck, WarnsOfSizesThatAllFitTheTileAndOfAToleranceTooLooseForThePrecision) {
  Draft draft;
  draft.sizes = "[[case]]\nbind = { rows = 16, cols = 32 }\n";
  draft.tolerance = "{ max = 1e-2, rms = 1e-2 }";
  // The reference itself computes coarsely, so that the judge's comparison with an honest error
  // does not help.
  draft.body =
      "const float coarse = static_cast<float>(x[i]); y[i] = sizeof(real) == 8 ? real(coarse) * 2 "
      "+ std::sin(coarse) : real(coarse * 2 + std::sin(coarse)) * real(1.001);";
  const JsonProbe report = check(draft);
  EXPECT_EQ(finished_.code, 0) << finished_.out;
  EXPECT_EQ(verdict(report, "odd sizes among the cases"), "doubtful");
  EXPECT_EQ(verdict(report, "the answer rounded to half precision"), "doubtful");
}

TEST_F(TaskCheck, ListsEverythingMalformedWithItsLine) {
  const fs::path folder = Draft().write(hone_.folder() / "trial");
  base::write_file_atomically(folder / "task.toml",
                              "hone = 1\nname = \"trial\"\nsummary = 3\n[[input]]\nname = "
                              "\"x\"\ndtype = \"f31\"\nshape = [\"rows\"]\n");
  const auto text = hone_.run({"task", "check", folder.string()});
  EXPECT_EQ(text.code, 3);
  EXPECT_THAT(text.err, HasSubstr("task.toml:3"));
  EXPECT_THAT(text.err, HasSubstr("task.toml:6"));
  const auto as_json = hone_.run({"task", "check", folder.string(), "--json"});
  EXPECT_EQ(as_json.code, 3);
  EXPECT_GE(JsonProbe(as_json.out)["malformed"].size(), 2u);
}

TEST_F(TaskCheck, SaysWhatIsWrongWithAReferenceThatFails) {
  Draft draft;
  draft.body = "y.at(y.size()) = x[i];";
  const JsonProbe report = check(draft);
  EXPECT_EQ(finished_.code, 1);
  EXPECT_EQ(verdict(report, "reference"), "failed");
}

TEST_F(TaskCheck, AReferenceThatLoopsForEverEndsAtItsLimitAndIsSaidAtOnce) {
  Draft draft;
  draft.body = "for (;;) asm volatile(\"\");";
  draft.sizes += "[[case]]\nbind = { rows = 130, cols = 37 }\n";
  const fs::path folder = draft.write(hone_.folder() / "trial");
  const auto limited =
      hone_.run({"task", "check", folder, "--device", "fake:0", "--reference-limit", "1"});
  EXPECT_EQ(limited.code, 1) << limited.out << limited.err;
  EXPECT_THAT(limited.err, HasSubstr("case rows=13,cols=37 fails: the reference of task trial on "
                                     "case rows=13,cols=37 did not finish within 1 s"));
  EXPECT_THAT(limited.out, HasSubstr("case rows=130,cols=37 was not examined"));
  const auto bounded =
      hone_.run({"task", "check", folder, "--device", "fake:0", "--max-seconds", "1"});
  EXPECT_EQ(bounded.code, 1) << bounded.out << bounded.err;
  EXPECT_THAT(bounded.out, HasSubstr("the time for everything was up (--max-seconds)"));
}

TEST(TaskNew, WritesATaskThatIsAdmitted) {
  const Hone hone;
  const std::string folder = hone.folder() / "fresh";
  const auto written = hone.run({"task", "new", folder});
  ASSERT_EQ(written.code, 0) << written.err;
  EXPECT_THAT(written.out, HasSubstr("task.toml"));
  const std::string toml = base::read_file(folder + "/task.toml");
  base::write_file_atomically(folder + "/task.toml",
                              replaced(toml, "16777216", "65536"));  // which takes half a minute
  const auto checked = hone.run({"task", "check", folder});
  EXPECT_EQ(checked.code, 0) << checked.out << checked.err;
  EXPECT_NE(hone.run({"task", "new", folder}).code, 0);  // it is in use now
  const std::string seed = base::read_file(folder + "/seed.cl"),
                    plain = hone.folder() / "kernel.cl";
  base::write_file_atomically(plain, seed.substr(seed.find("*/") + 2));
  const auto taken = hone.run({"export", folder, plain, "--out", hone.folder() / "exported"});
  EXPECT_EQ(taken.code, 0) << taken.out << taken.err;
  EXPECT_THAT(taken.err, HasSubstr("kernel.cl has no launch plan: it is taken with that of " +
                                   folder + "/seed.cl"));
}

TEST(TaskNew, LinesAreThoseOfAKernelWithoutAPlan) {
  if (!has_opencl()) GTEST_SKIP() << "there is no OpenCL device here";
  const Hone hone;
  const fs::path kernel = hone.folder() / "mine.cl";
  base::write_file_atomically(kernel,
                              "// mine\n__kernel void softmax(__global const float* x, __global "
                              "float* y, long rows, long cols) { y[0] = nothing; }\n");
  const std::string task = fs::path(HONE_EXAMPLES) / "softmax";
  const auto judged = hone.run(
      {"eval", task, kernel.string(), "--case", "prime", "--device", "opencl:0", "--json"});
  EXPECT_EQ(judged.code, 1) << judged.out << judged.err;
  EXPECT_THAT(judged.out, HasSubstr("mine.cl:2:"));
}

TEST(TaskNew, FromAKernelLeavesQuestionsThatTheCheckLists) {
  const Hone hone;
  const fs::path kernel = hone.folder() / "scale.cl";
  base::write_file_atomically(
      kernel,
      "__kernel void scale(__global const float* x, __global float* y, float factor, int n) {\n  "
      "const int i = get_global_id(0);\n  if (i < n) y[i] = factor * x[i];\n}\n");
  const std::string folder = hone.folder() / "scaled";
  const auto written = hone.run({"task", "new", folder, "--from", kernel.string()});
  ASSERT_EQ(written.code, 0) << written.err;
  const auto checked = hone.run({"task", "check", folder});
  EXPECT_EQ(checked.code, 3) << checked.out;
  EXPECT_THAT(checked.err, HasSubstr("task.toml:"));
}

const char* const seed = R"cl(/* hone 1
[[launch]]
kernel = "wave"
grid   = ["ceil_div(rows * cols, 64)"]
block  = [64]
args   = ["x", "y", "rows * cols"]
*/
__kernel void wave(__global const float* x, __global float* y, int n) {
  const int i = get_global_id(0);
  if (i < n) y[i] = FORMULA;
}
)cl";

std::string seed_with(const std::string& formula) {
  std::string text = seed;
  return text.replace(text.find("FORMULA"), 7, formula);
}

TEST_F(TaskCheck, JudgesTheSeedOnTheDevice) {
  if (!has_opencl()) GTEST_SKIP() << "there is no OpenCL device here";
  const fs::path folder = Draft().write(hone_.folder() / "trial");
  base::write_file_atomically(folder / "seed.cl", seed_with("sin(x[i]) + 2.0f * x[i]"));
  const auto good = hone_.run({"task", "check", folder.string(), "--device", "opencl:0"});
  EXPECT_EQ(good.code, 0) << good.out << good.err;
  EXPECT_THAT(good.out, HasSubstr("seed.cl is accepted"));
  base::write_file_atomically(folder / "seed.cl", seed_with("3.0f * x[i]"));
  const auto bad = hone_.run({"task", "check", folder.string(), "--device", "opencl:0"});
  EXPECT_EQ(bad.code, 1) << bad.out << bad.err;
  EXPECT_THAT(bad.out, HasSubstr("the judge says wrong"));
  fs::remove(folder / "seed.cl");
}

}  // namespace
}  // namespace hone::end_to_end
