#include "cli/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/show.h"
#include "store/comparisons.h"
#include "store/test_support.h"
#include "text/table.h"

namespace hone::cli {
using namespace text;
namespace {

using store::testing::a_candidate;
using store::testing::a_task;
using store::testing::an_evaluation;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

struct ArchiveToRead : ::testing::Test {
  store::testing::Fixture f;
  store::CandidateRecord seed = a_candidate("seed.cl"), child = a_candidate("child.cl", {seed.line.hash});
  std::string accepted, wrong;

  void SetUp() override {
    record_task(f.archive, a_task());
    record_candidate(f.archive, seed);
    record_candidate(f.archive, child);
    accepted = record_evaluation(f.archive, an_evaluation(a_task(), seed), "H200");
    core::Evaluation evaluation = an_evaluation(a_task(), child);
    evaluation.outcome = core::Outcome::wrong;
    evaluation.geomean.reset();
    evaluation.key.cases = {"prime"};
    evaluation.evidence = {{"tolerance", 27, true, "prime", "Element 5 is 1e9.\nThe bound is 2e-5.\x1b[2J"}};
    wrong = record_evaluation(f.archive, evaluation, "H200");
  }
  std::string log(const LogOptions& options = {}, const Screen& screen = {}) {
    std::ostringstream out;
    print_log(f.archive, options, out, screen);
    return out.str();
  }
  std::string show(const std::string& id, const Screen& screen = {}) {
    std::ostringstream out;
    print_show(f.archive, {.id = id}, out, screen);
    return out.str();
  }
  nlohmann::json show_json(const std::string& id) {
    std::ostringstream out;
    print_show(f.archive, {.id = id, .json = true}, out, {});
    return nlohmann::json::parse(out.str());
  }
};

TEST_F(ArchiveToRead, HasALogWithOneLineForEachEvaluation) {
  std::istringstream lines(log());
  std::string titles, first, second, none;
  std::getline(lines, titles);
  std::getline(lines, first);
  std::getline(lines, second);
  EXPECT_FALSE(std::getline(lines, none));
  EXPECT_THAT(titles, AllOf(HasSubstr("id"), HasSubstr("when"), HasSubstr("outcome")));
  EXPECT_THAT(first, AllOf(HasSubstr(wrong), HasSubstr("wrong"), HasSubstr("child.cl"), HasSubstr("prime")));
  EXPECT_THAT(second, AllOf(HasSubstr(accepted), HasSubstr("softmax"), HasSubstr(store::short_hash(seed.line.hash)),
                            HasSubstr("seed.cl"), HasSubstr("screen"), HasSubstr("accepted"), HasSubstr("1.15 ms"),
                            HasSubstr("H200"), HasSubstr("BLOCK=256 VEC=4")));
}

TEST_F(ArchiveToRead, HasALogThatCanBeFilteredAndPaged) {
  EXPECT_THAT(log({.outcome = core::Outcome::accepted}), AllOf(HasSubstr(accepted), Not(HasSubstr(wrong))));
  EXPECT_THAT(log({.before = wrong.substr(0, 8)}), AllOf(HasSubstr(accepted), Not(HasSubstr(wrong))));
  EXPECT_THAT(log({.limit = 1}), AllOf(HasSubstr(wrong), Not(HasSubstr(accepted))));
  EXPECT_THAT(log({.limit = 1}, {.colours = false, .width = 200}), HasSubstr("--before " + wrong));
  EXPECT_THAT(log({.limit = 2}, {.colours = false, .width = 200}), Not(HasSubstr("--before")));
  EXPECT_THROW(log({.limit = 0}), base::Error);
  EXPECT_EQ(log({.task = "matmul"}), "No evaluation in the archive matches.\n");
  EXPECT_THROW(log({.before = seed.line.hash}), base::Error);
}

TEST_F(ArchiveToRead, SaysHowToBeginWhenThereIsNothing) {
  store::testing::Fixture empty;
  std::ostringstream out;
  print_log(empty.archive, {}, out, {});
  EXPECT_THAT(out.str(), HasSubstr("hone eval"));
}

TEST_F(ArchiveToRead, HasALogForPrograms) {
  const auto json = nlohmann::json::parse(log({.limit = 1, .json = true}));
  ASSERT_EQ(json["evaluations"].size(), 1u);
  EXPECT_EQ(json["evaluations"][0]["id"], wrong);
  EXPECT_EQ(json["evaluations"][0]["geomean_s"], nullptr);
  EXPECT_EQ(json["evaluations"][0]["point"]["BLOCK"], 256);
  EXPECT_EQ(json["next"], wrong);
  EXPECT_EQ(nlohmann::json::parse(log({.json = true}))["next"], nullptr);
}

TEST_F(ArchiveToRead, ShowsACandidateWithPlanSourceRelativesAndEvaluations) {
  const std::string text = show(store::short_hash(seed.line.hash));
  EXPECT_THAT(text, AllOf(HasSubstr("candidate " + store::short_hash(seed.line.hash)), HasSubstr(seed.line.hash),
                          HasSubstr("opencl"), HasSubstr("someone"), HasSubstr("a note"), HasSubstr("parents   none"),
                          HasSubstr(store::short_hash(child.line.hash) + " child.cl"), HasSubstr(accepted)));
  EXPECT_THAT(
      text,
      HasSubstr("\nplan\n/* hone 1\n[[launch]]\nkernel = \"f\"\n*/\n\nsource\n__kernel void f() {} // seed.cl\n"));
  EXPECT_THAT(show(child.line.hash), HasSubstr("parents   " + store::short_hash(seed.line.hash) + " seed.cl"));
}

TEST_F(ArchiveToRead, ShowsComparisonsOfACandidate) {
  store::ComparisonRecord comparison;
  comparison.task = a_task().hash;
  comparison.device = "GPU-1234";
  comparison.a = {seed.line.hash, {}};
  comparison.b = {child.line.hash, {}};
  comparison.ratio = 0.9;
  comparison.interval = {0.89, 0.91};
  comparison.word = core::Comparison::faster;
  record_comparison(f.archive, comparison);
  EXPECT_THAT(show(seed.line.hash), AllOf(HasSubstr("faster"), HasSubstr("0.9000 (0.8900 .. 0.9100)")));
  EXPECT_EQ(show_json(child.line.hash)["comparisons"][0]["word"], "faster");
}

TEST_F(ArchiveToRead, ShowsAnEvaluationWithItsKeyCasesAndMetrics) {
  EXPECT_THAT(show(accepted.substr(0, 10)),
              AllOf(HasSubstr("evaluation " + accepted + ": accepted"), HasSubstr("GPU-1234"), HasSubstr("nvrtc 13.0"),
                    HasSubstr("580.1"), HasSubstr("−4.3 +4.3 %"), HasSubstr("117 GB/s"), HasSubstr("83.0 % of memory"),
                    HasSubstr("label: lower precision"), HasSubstr("power.average"), HasSubstr("312.5 W"),
                    HasSubstr("NVML is not here"), HasSubstr("warning: unused variable")));
}

TEST_F(ArchiveToRead, ShowsEvidenceThatCannotDriveTheTerminal) {
  const std::string text = show(wrong);
  EXPECT_THAT(text, AllOf(HasSubstr("verdict: tolerance, row 27 of docs/trust.md, case prime"),
                          HasSubstr("    Element 5 is 1e9.\n    The bound is 2e-5.\\x1b[2J\n")));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST_F(ArchiveToRead, UsesColoursAndBarsOnATerminalOnly) {
  EXPECT_THAT(show(accepted), AllOf(Not(HasSubstr("\x1b")), Not(HasSubstr("█"))));
  EXPECT_THAT(show(accepted, {.colours = true, .width = 300}), AllOf(HasSubstr("\x1b[32maccepted"), HasSubstr("█")));
}

TEST_F(ArchiveToRead, ShowsAnEvaluationToPrograms) {
  const auto json = show_json(accepted);
  EXPECT_EQ(json["kind"], "evaluation");
  EXPECT_EQ(json["outcome"], "accepted");
  EXPECT_EQ(json["key"]["task"], a_task().hash);
  EXPECT_EQ(json["cases"][0]["samples_s"].size(), 3u);
  EXPECT_EQ(json["metrics"][2]["value"], nullptr);
  EXPECT_EQ(show_json(seed.line.hash)["kind"], "candidate");
  EXPECT_EQ(show_json(seed.line.hash)["source"], seed.source);
}

TEST_F(ArchiveToRead, RefusesAnIdThatNothingHas) { EXPECT_THROW(show("0123456789"), base::Error); }

}  // namespace
}  // namespace hone::cli
