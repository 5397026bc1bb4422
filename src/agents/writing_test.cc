#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agents/answers.h"
#include "agents/prompts.h"

namespace hone::agents {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::string plan = "/* hone 1\n[[launch]]\n*/\n";
const std::string kernel = plan + "__kernel void f(__global float* y) { y[0] = 1; }\n";
const std::string basis = plan + "int first;\n  int twice;\nint middle;\n  int twice;\nint last;\n";

std::string fence(const std::string& code) { return "```opencl\n" + code + "```\n"; }
std::string edit(const std::string& search, const std::string& replace) {
  return "<<<<<<< SEARCH\n" + search + "=======\n" + replace + ">>>>>>> REPLACE\n";
}
base::Result<Written> written(const std::string& text, const std::string& of = "",
                              const std::string& stop = "") {
  llm::Reply reply;
  reply.text = text;
  reply.stop = stop;
  return parse_written(reply, of);
}
std::string complaint(const std::string& text, const std::string& of = "",
                      const std::string& stop = "") {
  const auto result = written(text, of, stop);
  return result.ok() ? "nothing: " + result->source : result.error();
}

TEST(Written, IsAWholeSourceAndAReport) {
  const auto result = written("Here it is.\n" + fence(kernel) + "\n## Report\nI wrote `f`.\n");
  ASSERT_TRUE(result.ok()) << result.error();
  EXPECT_EQ(result->source, kernel);
  EXPECT_EQ(result->report, "I wrote `f`.");
}

TEST(Written, TakesTheBlockWithThePlanWhereOthersAreSnippets) {
  const auto inside = written(
      fence(kernel) + "## Report\nThe heart is\n```c\n__kernel void g() {}\n```\nand so on.");
  ASSERT_TRUE(inside.ok()) << inside.error();
  EXPECT_EQ(inside->source, kernel);
  EXPECT_THAT(inside->report, AllOf(HasSubstr("The heart is"), HasSubstr("and so on.")));
  const auto before =
      written("The idea:\n```\nsum += x;\n```\n" + fence(kernel) + "## Report\nDone.");
  ASSERT_TRUE(before.ok()) << before.error();
  EXPECT_EQ(before->source, kernel);
}

TEST(Written, TakesTheSameFileTwiceAsOne) {
  EXPECT_TRUE(written(fence(kernel) + fence(kernel)).ok());
}

TEST(Written, UnderstandsWindowsLineEndsAndOtherFences) {
  EXPECT_EQ(written("~~~~cuda\r\n/* hone 1\r\n*/\r\nint a;\r\n~~~~\r\n")->source,
            "/* hone 1\n*/\nint a;\n");
}

TEST(Written, ThatIsNoCandidateGetsASentenceOfItsOwn) {
  EXPECT_THAT(complaint(" \n"), HasSubstr("is empty"));
  EXPECT_THAT(complaint("I cannot do that."), HasSubstr("no code in your answer"));
  EXPECT_THAT(complaint(kernel), HasSubstr("not in a fenced block"));
  EXPECT_THAT(complaint("```c\n__kernel void f() {}\n```"), HasSubstr("no launch plan"));
  EXPECT_THAT(complaint("```c\n/* honest work */\n__kernel void f() {}\n```"),
              HasSubstr("no launch plan"));
  EXPECT_THAT(complaint("```c\n" + kernel), HasSubstr("ends inside the code block. "));
  EXPECT_THAT(complaint("```c\n" + kernel, "", "max_tokens"), HasSubstr("largest length"));
  EXPECT_THAT(complaint(fence(kernel) + fence(kernel + "int b;\n")),
              HasSubstr("more than one source"));
  EXPECT_THAT(complaint(fence(kernel) + fence("__kernel void g() {}\n")),
              HasSubstr("more than one source"));
  EXPECT_THAT(complaint(fence(plan + "int a;\n// ... rest of the code unchanged ...\n")),
              HasSubstr("Line 5 of your source stands for code that is not there"));
  EXPECT_THAT(complaint(fence(plan + std::string(2 << 20, ' ') + "\n")), HasSubstr("bytes"));
}

TEST(Written, NeedsNoPlanForAnExternalEvaluator) {
  llm::Reply reply;
  reply.text = "```python\nprint(1)\n```\n## Report\nIt prints.\n```\nprint(2)\n```";
  const auto result = parse_written(reply, "", SourceForm{SourceForm::Kind::any, ""});
  ASSERT_TRUE(result.ok()) << result.error();
  EXPECT_EQ(result->source, "print(1)\n");
}

// ---- Python: a module that defines what is called
const std::string module =
    "import torch\nclass ModelNew(torch.nn.Module):\n  def forward(self, x):\n    return x // 2\n";
std::string of_python(const std::string& text, const std::string& of = "",
                      const std::string& entry = "ModelNew") {
  llm::Reply reply;
  reply.text = text;
  const auto result = parse_written(reply, of, {SourceForm::Kind::python, entry});
  return result.ok() ? result->source : "complaint: " + result.error();
}

TEST(WrittenPython, IsTheBlockThatDefinesWhatIsCalled) {
  EXPECT_EQ(of_python("```python\n" + module +
                      "```\n## Report\nA snippet:\n```\nclass ModelNew(A):\n```"),
            module);
  EXPECT_EQ(of_python("The idea:\n```\ny = x\n```\n```python\n" + module + "```\n"), module);
  EXPECT_EQ(of_python("## Report\nFirst.\n```python\n" + module + "```\n"), module)
      << "the report came first";
  EXPECT_EQ(
      of_python("```python\ndef custom_kernel(data):\n  return data\n```", "", "custom_kernel"),
      "def custom_kernel(data):\n  return data\n");
  EXPECT_EQ(of_python("```python\ncustom_kernel = torch.compile(f)\n```", "", "custom_kernel"),
            "custom_kernel = torch.compile(f)\n");
}

TEST(WrittenPython, ThatIsNoCandidateGetsASentenceOfItsOwn) {
  EXPECT_THAT(of_python("```python\nclass Model:\n  ModelNew = 1\n```"),
              HasSubstr("defines no ModelNew"));
  EXPECT_THAT(of_python("```python\ndef custom_kernels(data):\n  1\n```", "", "custom_kernel"),
              HasSubstr("defines no custom_kernel"));
  EXPECT_THAT(of_python("```\n" + module + "```\n```\n" + module + "# other\n```"),
              HasSubstr("more than one source"));
  EXPECT_THAT(of_python("```\n" + module + "```\n```cuda\n__global__ void f() {}\n```"),
              HasSubstr("more than one source"));
  EXPECT_THAT(of_python(module), HasSubstr("not in a fenced block"));
  EXPECT_THAT(of_python("no"),
              AllOf(HasSubstr("no code"), HasSubstr("a Python module that defines ModelNew")));
  EXPECT_THAT(of_python("```\n" + module + "    # ... rest unchanged ...\n```"),
              HasSubstr("Line 5 of your source"));
}

TEST(WrittenPython, MayBeEdits) {
  EXPECT_THAT(of_python(edit("    return x // 2\n", "    return x // 4\n"), module),
              HasSubstr("return x // 4"));
  EXPECT_THAT(
      of_python(edit("class ModelNew(torch.nn.Module):\n", "class Other(torch.nn.Module):\n"),
                module),
      HasSubstr("remove the definition of ModelNew"));
}

TEST(Reports, OfPythonKnowDivisionFromComments) {
  const auto other = module.substr(0, module.size() - 2) + "4\n";
  EXPECT_THAT(check_report("Done.", module, other), IsEmpty());
  EXPECT_THAT(check_report("Done.", module, "# a comment\n" + module),
              ElementsAre(HasSubstr("comments and blanks only")));
}

TEST(Edits, AreAppliedToTheBasis) {
  const auto result = written(edit("int last;\n", "int very_last;\n") + edit("int first;\n", "") +
                                  "## Report\nRenamed `very_last`.",
                              basis);
  ASSERT_TRUE(result.ok()) << result.error();
  EXPECT_EQ(result->source, plan + "  int twice;\nint middle;\n  int twice;\nint very_last;\n");
  EXPECT_EQ(result->report, "Renamed `very_last`.");
}

TEST(Edits, MayStandInAFenceAndIgnoreBlanksAtLineEnds) {
  const auto result =
      written("```diff\n" + edit("int middle;  \n", "int center;\n") + "```\nThat is all.", basis);
  ASSERT_TRUE(result.ok()) << result.error();
  EXPECT_THAT(result->source, HasSubstr("\nint center;\n"));
  EXPECT_THAT(result->report, HasSubstr("That is all."));
}

TEST(Edits, ThatMatchNowhereAreShownTheNearestPlace) {
  EXPECT_THAT(
      complaint(edit("int middel;\n", "x\n"), basis),
      AllOf(HasSubstr("Edit 1: its SEARCH matches no place"), HasSubstr("    6  int middle;")));
  EXPECT_THAT(complaint(edit("    int twice;\nint middle;\n", "x\n"), basis),
              HasSubstr("only in its indentation"));
  EXPECT_THAT(complaint(edit("nothing like this at all\n", "x\n"), basis),
              HasSubstr("Nothing in the basis is like it"));
}

TEST(Edits, ThatMatchSeveralPlacesAreToldWhere) {
  EXPECT_THAT(complaint(edit("int first;\n", "a\n") + edit("  int twice;\n", "b\n"), basis),
              AllOf(HasSubstr("Edit 2: its SEARCH matches 2 places of the basis (from lines 5, 7)"),
                    Not(HasSubstr("Edit 1"))));
}

TEST(Edits, ThatAreMalformedAreRefused) {
  EXPECT_THAT(complaint(edit("", "x\n"), basis), HasSubstr("SEARCH is empty"));
  EXPECT_THAT(complaint("<<<<<<< SEARCH\nint last;\n>>>>>>> REPLACE\n", basis),
              HasSubstr("no dividing line"));
  EXPECT_THAT(complaint("<<<<<<< SEARCH\nint last;\n=======\nint", basis),
              HasSubstr("ends inside it"));
  EXPECT_THAT(complaint("<<<<<<< SEARCH\na\n<<<<<<< SEARCH\n", basis), HasSubstr("second SEARCH"));
  EXPECT_THAT(complaint(edit("int first;\n  int twice;\n", "a\n") +
                            edit("  int twice;\nint middle;\n", "b\n"),
                        basis),
              HasSubstr("overlap in line 5"));
  EXPECT_THAT(complaint(edit("int last;\n", "int last;\n"), basis), HasSubstr("change nothing"));
  EXPECT_THAT(complaint(edit(plan, ""), basis), HasSubstr("remove the launch plan"));
  EXPECT_THAT(complaint(edit("int last;\n", "x\n")), HasSubstr("no basis"));
  EXPECT_THAT(complaint(fence(kernel) + edit("int last;\n", "x\n"), basis),
              HasSubstr("both a whole source and edits"));
}

// ---- reports

TEST(Report, IsCheckedAgainstTheSource) {
  EXPECT_THAT(
      check_report(
          "`tile` is filled by `load_tile()`; `BLOCK = 256`; removed `old`; uses `cp.async`.",
          "old", "int tile; void load_tile(); BLOCK"),
      IsEmpty());
  EXPECT_THAT(check_report("Uses `warp_sum` and `warp_sum(x)`.", "old", "int warp_sum2;"),
              ElementsAre(HasSubstr("`warp_sum`")));
  EXPECT_THAT(check_report("Faster.", "int a;\n", "int a;"), ElementsAre(HasSubstr("unchanged")));
  EXPECT_THAT(check_report("Faster.", "int a;", "int  a; // fast\n"),
              ElementsAre(HasSubstr("comments and blanks only")));
  EXPECT_THAT(check_report("", "int a;", "int b;"), ElementsAre("There is no report."));
}

// ---- diffs

TEST(Diff, IsUnified) {
  EXPECT_EQ(diff("a\nb\nc\nd\ne\nf\ng\nh\n", "a\nb\nc\nd\nE\nf\ng\nh\n"),
            "--- basis\n+++ candidate\n@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n");
  EXPECT_EQ(diff("a\n", "a\n"), "");
  EXPECT_EQ(diff("", "a\nb\n", "x", "y"), "--- x\n+++ y\n@@ -0,0 +1,2 @@\n+a\n+b\n");
  EXPECT_EQ(diff("a\nb\n", "b\n"), "--- basis\n+++ candidate\n@@ -1,2 +1 @@\n-a\n b\n");
}

TEST(Diff, HasAHunkForEachPlace) {
  std::string before, after;
  for (int i = 0; i < 40; ++i) {
    before += std::to_string(i) + "\n";
    after += (i == 5 || i == 30 ? "x" : std::to_string(i)) + std::string("\n");
  }
  const auto text = diff(before, after);
  EXPECT_THAT(text, AllOf(HasSubstr("@@ -3,7 +3,7 @@"), HasSubstr("@@ -28,7 +28,7 @@")));
}

TEST(Diff, IsBoundedWhereNothingIsAlike) {
  std::string before, after;
  for (int i = 0; i < 5000; ++i) {
    before += "a" + std::to_string(i) + "\n";
    after += "b" + std::to_string(i) + "\n";
  }
  const auto text = diff(before, after);
  EXPECT_THAT(text, AllOf(HasSubstr("-a4999\n"), HasSubstr("+b0\n")));
}

// Applying a diff's own steps gives the second text: whatever the texts.
TEST(Diff, LeadsFromOneTextToTheOther) {
  unsigned state = 1;
  const auto random = [&](unsigned below) {
    return (state = state * 1664525u + 1013904223u) / 65536 % below;
  };
  for (int round = 0; round < 200; ++round) {
    std::string before, after;
    for (unsigned i = random(30); i > 0; --i)
      before += std::string(1, static_cast<char>('a' + random(4))) + "\n";
    for (unsigned i = random(30); i > 0; --i)
      after += std::string(1, static_cast<char>('a' + random(4))) + "\n";
    std::string removed_side, added_side, text = diff(before, after);
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
      const auto line = text.substr(at, text.find('\n', at) + 1 - at);
      if (line.starts_with("---") || line.starts_with("+++") || line.starts_with("@@")) continue;
      if (line[0] != '+') removed_side += line.substr(1);
      if (line[0] != '-') added_side += line.substr(1);
    }
    if (text.find("@@", text.find("@@ ", 0) + 20) == std::string::npos &&
        !text.empty()) {  // one hunk
      EXPECT_THAT(before, HasSubstr(removed_side));
      EXPECT_THAT(after, HasSubstr(added_side));
    }
    EXPECT_EQ(text.empty(), before == after);
  }
}

// ---- evidence

TEST(Evidence, SaysWhatTheJudgeFoundAndStaysShort) {
  core::Evaluation evaluation;
  evaluation.outcome = core::Outcome::wrong;
  evaluation.evidence.push_back(
      {"tolerance", 27, true, "prime", "The largest error is 0.3; 1e-4 is allowed."});
  evaluation.evidence.push_back({"", 0, false, "", "a label"});
  const auto text = evidence_text(evaluation);
  EXPECT_THAT(text,
              AllOf(HasSubstr("Outcome: wrong."), HasSubstr("Case prime: The largest error is 0.3"),
                    HasSubstr("guard: tolerance"), Not(HasSubstr("a label"))));
  evaluation.outcome = core::Outcome::build_failed;
  evaluation.build_log = std::string(50000, 'e');
  for (int i = 0; i < 20; ++i)
    evaluation.evidence.push_back({"", 0, true, "", std::string(5000, 'x')});
  EXPECT_LE(evidence_text(evaluation).size(), 8100u);
}

TEST(Evidence, TellsTheDiagnosisAndWhatARaceCheckerReported) {
  core::Evaluation evaluation;
  evaluation.outcome = core::Outcome::launch_failed;
  evaluation.evidence.push_back(
      {"launch-errors", 2, true, "prime", "one of launch 1, 2: unspecified launch failure"});
  evaluation.evidence.push_back(
      {"diagnosis", 0, false, "prime", "Launch by launch: launch 2 (norm) at line 31."});
  evaluation.evidence.push_back(
      {"sanitizer", 34, false, "prime", "racecheck reports: line 3 and line 9"});
  const auto text = evidence_text(evaluation);
  EXPECT_THAT(
      text,
      AllOf(
          HasSubstr(
              "Diagnosis, by another run that decides nothing: Launch by launch: launch 2 (norm)"),
          HasSubstr("On races: racecheck reports: line 3 and line 9")));
}

TEST(Evidence, OfAKernelThatRunsTellsOfTheLogOnlyThatWgmmaIsSerialised) {
  core::Evaluation evaluation;
  evaluation.outcome = core::Outcome::wrong;
  evaluation.build_log =
      "a.cu(3): warning: unused\nptxas info    : (C7511) wgmma.mma_async instructions are "
      "serialized\n";
  const auto text = evidence_text(evaluation);
  EXPECT_THAT(text, AllOf(HasSubstr("(C7511)"), Not(HasSubstr("unused"))));
}

TEST(Evidence, TellsABuildLogOnce) {
  core::Evaluation evaluation;
  evaluation.outcome = core::Outcome::build_failed;
  evaluation.build_log = "f.cu(3): error: no such thing\n";
  evaluation.evidence.push_back({"", 0, true, "", evaluation.build_log});
  const auto text = evidence_text(evaluation);
  EXPECT_EQ(text.find("no such thing"), text.rfind("no such thing"));
}

}  // namespace
}  // namespace hone::agents
