#include "cli/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "base/error.h"
#include "base/json_probe.h"
#include "store/test_support.h"

namespace hone::cli {
namespace {

using store::testing::a_candidate;
using store::testing::a_task;
using store::testing::an_evaluation;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

struct Asked {
  std::string task;
  std::optional<core::Outcome> outcome;
  std::string before;
  int limit = 20;
};

struct ArchiveToRead : ::testing::Test {
  store::testing::Fixture f;
  store::CandidateRecord seed = a_candidate("seed.cl"),
                         child = a_candidate("child.cl", {seed.line.hash});
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
    wrong = record_evaluation(f.archive, evaluation, "H200");
  }

  static app::LogRequest request(const std::filesystem::path& archive, const Asked& asked) {
    app::LogRequest request;
    request.archive = archive.string();
    request.task = asked.task;
    request.outcome = asked.outcome;
    request.before = asked.before;
    request.limit = asked.limit;
    return request;
  }
  std::string log(const Asked& asked = {}, const text::Screen& screen = {}) {
    const auto asking = request(f.path, asked);
    return log_text(asking, app::log(asking), screen);
  }
  base::JsonProbe log_json(const Asked& asked = {}) {
    return base::probe(app::log(request(f.path, asked)));
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
  EXPECT_THAT(first, AllOf(HasSubstr(wrong), HasSubstr("wrong"), HasSubstr("child.cl"),
                           HasSubstr("prime")));
  EXPECT_THAT(second, AllOf(HasSubstr(accepted), HasSubstr("softmax"),
                            HasSubstr(store::short_hash(seed.line.hash)), HasSubstr("seed.cl"),
                            HasSubstr("screen"), HasSubstr("accepted"), HasSubstr("1.15 ms"),
                            HasSubstr("H200"), HasSubstr("BLOCK=256 VEC=4")));
}

TEST_F(ArchiveToRead, HasALogThatCanBeFilteredAndPaged) {
  EXPECT_THAT(log({.outcome = core::Outcome::accepted}),
              AllOf(HasSubstr(accepted), Not(HasSubstr(wrong))));
  EXPECT_THAT(log({.before = wrong.substr(0, 8)}),
              AllOf(HasSubstr(accepted), Not(HasSubstr(wrong))));
  EXPECT_THAT(log({.limit = 1}), AllOf(HasSubstr(wrong), Not(HasSubstr(accepted))));
  EXPECT_THAT(log({.limit = 1}, {.colours = false, .width = 200}), HasSubstr("--before " + wrong));
  EXPECT_THAT(log({.limit = 2}, {.colours = false, .width = 200}), Not(HasSubstr("--before")));
  EXPECT_THROW(log({.limit = 0}), base::Error);
  EXPECT_EQ(log({.task = "matmul"}), "No evaluation in the archive matches.\n");
  EXPECT_THROW(log({.before = seed.line.hash}), base::Error);
}

TEST_F(ArchiveToRead, SaysHowToBeginWhenThereIsNothing) {
  store::testing::Fixture empty;
  const auto asking = request(empty.path, {});
  EXPECT_THAT(log_text(asking, app::log(asking), {}), HasSubstr("hone eval"));
}

TEST_F(ArchiveToRead, HasALogForPrograms) {
  const auto json = log_json({.limit = 1});
  ASSERT_EQ(json["evaluations"].size(), 1u);
  EXPECT_EQ(json["evaluations"][0]["id"], wrong);
  EXPECT_EQ(json["evaluations"][0]["geomean_s"], nullptr);
  EXPECT_EQ(json["evaluations"][0]["point"]["BLOCK"], 256);
  EXPECT_EQ(json["next"], wrong);
  EXPECT_EQ(log_json()["next"], nullptr);
}

}  // namespace
}  // namespace hone::cli
