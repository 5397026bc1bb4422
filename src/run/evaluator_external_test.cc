#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agents/prompts.h"
#include "base/error.h"
#include "base/files.h"
#include "run/evaluators.h"
#include "task/candidate_loader.h"

namespace hone::run {
namespace {

using testing::HasSubstr;

core::Task external_task() {
  core::Task task;
  task.name = "sum";
  task.hash = "hash";
  task.external.emplace();
  task.external->extension = "c";
  for (const char* name : {"small", "large"}) {
    core::Case which;
    which.name = name;
    task.cases.push_back(which);
  }
  return task;
}

JudgeRequest request_for(const std::string& name) {
  JudgeRequest request;
  request.name = name;
  request.candidate = *task::candidate_from("int x;\n", core::Language::external, "a.c");
  return request;
}

TEST(ExternalEvaluation, HasTheGeometricMeanOfTheCasesAndTheirIntervals) {
  const core::Task task = external_task();
  const auto info = external_device("queue");
  const auto evaluation =
      external_evaluation(task, request_for("a").candidate, info, {{{"small", 1, 0.5, 2}, {"large", 4, 4, 4}}, "", ""});
  EXPECT_EQ(evaluation.outcome, core::Outcome::accepted);
  EXPECT_DOUBLE_EQ(*evaluation.geomean, 2);
  EXPECT_EQ(evaluation.cases.at(0).interval.low, 0.5);
  EXPECT_TRUE(evaluation.cases.at(1).timed);
  EXPECT_EQ(evaluation.key.task, "hash");
  EXPECT_EQ(evaluation.key.device, info.uuid);
}

TEST(ExternalEvaluation, IsRejectedInTheEvaluatorsOwnWords) {
  const auto evaluation = external_evaluation(external_task(), request_for("a").candidate, external_device("queue"),
                                              {{}, "wrong at element 3", ""});
  EXPECT_EQ(evaluation.outcome, core::Outcome::rejected);
  EXPECT_EQ(evaluation.evidence.at(0).text, "wrong at element 3");
  EXPECT_TRUE(evaluation.evidence.at(0).convicts);
  EXPECT_EQ(agents::evidence_text(evaluation), "Outcome: rejected. The evaluator's own words:\n- wrong at element 3\n");
  EXPECT_FALSE(evaluation.geomean);
}

TEST(ExternalEvaluator, AsksTheCommandAndCannotProbeOrCertify) {
  const base::TemporaryFolder folder("hone-external-test");
  ::setenv("HONE_HOME", (folder.path() / "home").c_str(), 1);
  const auto script = folder.path() / "evaluator";
  base::write_file_atomically(script, R"(cat > /dev/null
case $1 in
  describe) echo '{}' ;;
  submit) echo '{"id":1}' ;;
  status) echo '{"state":"done"}' ;;
  result) echo '{"cases":[{"name":"small","seconds":2},{"name":"large","seconds":8}]}' ;;
esac
)");
  const auto evaluator = external_evaluator(external_task(), "sh " + script.string());
  const auto never = [] { return false; };
  const auto judged = evaluator->judge(request_for("r-1"), never);
  ASSERT_TRUE(judged);
  EXPECT_DOUBLE_EQ(*judged->evaluation.geomean, 4);
  EXPECT_FALSE(evaluator->certifies());
  EXPECT_FALSE(evaluator->away());
  EXPECT_NE(evaluator->probe({"r-2", "x"}, never)->failure, "");
  core::Task device_task;
  EXPECT_THROW(external_evaluator(device_task, "true"), base::Error);
}

}  // namespace
}  // namespace hone::run
