// What `hone show` gives, as data and as the text of it, from an archive made here.
#include "app/show.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/json_probe.h"
#include "report/summary_example.h"
#include "store/comparisons.h"
#include "store/test_support.h"
#include "text/record_text.h"

namespace hone::app {
namespace {

using store::testing::a_task;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

struct ArchiveToShow : ::testing::Test, store::testing::TwoEvaluated {
  Fixture& f = *this;
  ShowResult shown(const std::string& id) {
    ShowRequest request;
    request.archive = f.path.string();
    request.id = id;
    return app::show(request);
  }
  std::string show(const std::string& id, const text::Screen& screen = {}) {
    return std::visit(
        [&](const auto& record) {
          if constexpr (requires { text::record_text(record, screen); })
            return text::record_text(record, screen);
          else
            return std::string();  // a run's tree, which the command line lays out
        },
        shown(id).shown);
  }
  base::JsonProbe show_json(const std::string& id) { return base::probe(shown(id)); }
};

TEST_F(ArchiveToShow, ShowsACandidateWithPlanSourceRelativesAndEvaluations) {
  const std::string text = show(store::short_hash(seed.line.hash));
  EXPECT_THAT(text, AllOf(HasSubstr("candidate " + store::short_hash(seed.line.hash)),
                          HasSubstr(seed.line.hash), HasSubstr("opencl"), HasSubstr("someone"),
                          HasSubstr("a note"), HasSubstr("parents   none"),
                          HasSubstr(store::short_hash(child.line.hash) + " child.cl"),
                          HasSubstr(accepted)));
  EXPECT_THAT(text, HasSubstr("\nplan\n/* hone 1\n[[launch]]\nkernel = "
                              "\"f\"\n*/\n\nsource\n__kernel void f() {} // seed.cl\n"));
  EXPECT_THAT(show(child.line.hash),
              HasSubstr("parents   " + store::short_hash(seed.line.hash) + " seed.cl"));
}

TEST_F(ArchiveToShow, ShowsComparisonsOfACandidate) {
  store::ComparisonRecord comparison;
  comparison.task = a_task().hash;
  comparison.device = "GPU-1234";
  comparison.a = {seed.line.hash, {}};
  comparison.b = {child.line.hash, {}};
  comparison.ratio = 0.9;
  comparison.interval = {0.89, 0.91};
  comparison.word = core::Comparison::faster;
  const std::string id = record_comparison(f.archive, comparison);
  EXPECT_THAT(show(seed.line.hash),
              AllOf(HasSubstr("faster"), HasSubstr("0.9000 (0.8900 .. 0.9100)")));
  const auto json = show_json(child.line.hash)["comparisons"][0];
  EXPECT_EQ(json["word"], "faster");
  EXPECT_EQ(json["id"], id);
  EXPECT_EQ(json["task_name"], "softmax");
  EXPECT_EQ(json["a"]["candidate"], seed.line.hash);
  EXPECT_EQ(json["interval"].dump(), "[0.89,0.91]");
  EXPECT_EQ(json["created"].kind(), "string");
}

TEST_F(ArchiveToShow, ShowsAnEvaluationWithItsKeyCasesAndMetrics) {
  EXPECT_THAT(
      show(accepted.substr(0, 10)),
      AllOf(HasSubstr("evaluation " + accepted + ": accepted"), HasSubstr("GPU-1234"),
            HasSubstr("nvrtc 13.0"), HasSubstr("580.1"), HasSubstr("−4.3 +4.3 %"),
            HasSubstr("117 GB/s"), HasSubstr("83.0 % of memory"),
            HasSubstr("label: lower precision"), HasSubstr("power.average"), HasSubstr("312.5 W"),
            HasSubstr("NVML is not here"), HasSubstr("warning: unused variable")));
}

TEST_F(ArchiveToShow, ShowsEvidenceThatCannotDriveTheTerminal) {
  const std::string text = show(wrong);
  EXPECT_THAT(text, AllOf(HasSubstr("verdict: tolerance, row 27 of docs/trust.md, case prime"),
                          HasSubstr("    Element 5 is 1e9.\n    The bound is 2e-5.\\x1b[2J\n")));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST_F(ArchiveToShow, UsesColoursAndBarsOnATerminalOnly) {
  EXPECT_THAT(show(accepted), AllOf(Not(HasSubstr("\x1b")), Not(HasSubstr("█"))));
  EXPECT_THAT(show(accepted, {.colours = true, .width = 300}),
              AllOf(HasSubstr("\x1b[32maccepted"), HasSubstr("█")));
}

TEST_F(ArchiveToShow, ShowsAnEvaluationToPrograms) {
  const auto json = show_json(accepted);
  EXPECT_EQ(json["kind"], "evaluation");
  EXPECT_EQ(json["outcome"], "accepted");
  EXPECT_EQ(json["key"]["task"], a_task().hash);
  EXPECT_EQ(json["cases"][0]["samples_s"].size(), 3u);
  EXPECT_EQ(json["metrics"][2]["value"], nullptr);
  EXPECT_EQ(show_json(seed.line.hash)["kind"], "candidate");
  EXPECT_EQ(show_json(seed.line.hash)["source"], seed.source);
}

TEST_F(ArchiveToShow, ShowsACandidateToPrograms) {
  const auto json = show_json(seed.line.hash);
  EXPECT_EQ(json["plan"], "/* hone 1\n[[launch]]\nkernel = \"f\"\n*/");
  EXPECT_EQ(json["children"][0]["hash"], child.line.hash);
  EXPECT_EQ(json["children"][0]["language"], "opencl");
  EXPECT_EQ(json["evaluations"][0]["id"], accepted);
  EXPECT_TRUE(json["parents"].empty());
  EXPECT_TRUE(json["profiles"].empty());
}

TEST_F(ArchiveToShow, RefusesAnIdThatNothingHas) { EXPECT_THROW(show("0123456789"), base::Error); }

TEST_F(ArchiveToShow, ShowsAMemberByItsNumber) {
  const report::example::ExampleRun example(f.archive);
  EXPECT_THAT(
      show(example.run + ":3"),
      AllOf(HasSubstr("3.cl"), HasSubstr(store::short_hash(example.candidates[2].line.hash))));
}

}  // namespace
}  // namespace hone::app
