#include "run/external_judges.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agents/prompts.h"
#include "base/error.h"
#include "base/files.h"
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

core::Candidate external_candidate() {
  return *task::candidate_from("int x;\n", core::Language::external, "a.c");
}

TEST(ExternalEvaluation, HasTheGeometricMeanOfTheCasesAndTheirIntervals) {
  const core::Task task = external_task();
  const auto info = external_device("queue");
  const auto evaluation = external_evaluation(task, external_candidate(), info,
                                              {{{"small", 1, 0.5, 2}, {"large", 4, 4, 4}}, "", ""});
  EXPECT_EQ(evaluation.outcome, core::Outcome::accepted);
  EXPECT_DOUBLE_EQ(*evaluation.geomean, 2);
  EXPECT_EQ(evaluation.cases.at(0).interval.low, 0.5);
  EXPECT_TRUE(evaluation.cases.at(1).timed);
  EXPECT_EQ(evaluation.key.task, "hash");
  EXPECT_EQ(evaluation.key.device, info.uuid);
}

TEST(ExternalEvaluation, IsRejectedInTheEvaluatorsOwnWords) {
  const auto evaluation =
      external_evaluation(external_task(), external_candidate(), external_device("queue"),
                          {{}, "wrong at element 3", ""});
  EXPECT_EQ(evaluation.outcome, core::Outcome::rejected);
  EXPECT_EQ(evaluation.evidence.at(0).text, "wrong at element 3");
  EXPECT_TRUE(evaluation.evidence.at(0).convicts);
  EXPECT_EQ(agents::evidence_text(evaluation),
            "Outcome: rejected. The evaluator's own words:\n- wrong at element 3\n");
  EXPECT_FALSE(evaluation.geomean);
}

class ExternalJudgesTest : public testing::Test {
 protected:
  ExternalJudgesTest() { ::setenv("HONE_HOME", (folder_.path() / "home").c_str(), 1); }

  JobDone done(const Job& job, const std::string& answer) {
    const auto script = folder_.path() / "evaluator";
    base::write_file_atomically(script,
                                "cat > /dev/null\ncase $1 in\n"
                                "  describe) echo '{}' ;;\n"
                                "  submit) echo '{\"id\":1}' ;;\n"
                                "  status) echo '{\"state\":\"done\"}' ;;\n"
                                "  result) echo '" +
                                    answer + "' ;;\nesac\n");
    std::optional<JobDone> told;
    {
      ExternalJudges judges(
          external_task(), "sh " + script.string(), [&](JobDone one) { told = std::move(one); },
          [this] { return cancelled_; });
      EXPECT_FALSE(judges.certifies());
      EXPECT_FALSE(judges.away());
      EXPECT_FALSE(judges.profiles());
      judges.submit(job);
    }  // which ends its jobs
    EXPECT_TRUE(told);
    return told.value_or(JobDone());
  }
  static Job job() {
    Job one;
    one.name = "r-1";
    one.candidate = external_candidate();
    return one;
  }

  base::TemporaryFolder folder_{"hone-external-test"};
  bool cancelled_ = false;
};

TEST_F(ExternalJudgesTest, AskTheCommand) {
  const JobDone judged =
      done(job(), R"({"cases":[{"name":"small","seconds":2},{"name":"large","seconds":8}]})");
  ASSERT_TRUE(judged.result) << judged.why;
  EXPECT_EQ(judged.name, "r-1");
  EXPECT_DOUBLE_EQ(*judged.result->evaluation->geomean, 4);
}

TEST_F(ExternalJudgesTest, RunNoProbes) {
  Job probe;
  probe.name = "r-2";
  probe.probe = "x";
  const JobDone answered = done(probe, "{}");
  ASSERT_TRUE(answered.result);
  EXPECT_THAT(answered.result->probe_failure->text, HasSubstr("no probes"));
}

TEST_F(ExternalJudgesTest, WaitForNothingOnceTheRunIsCancelled) {
  cancelled_ = true;
  EXPECT_EQ(done(job(), "{}").state, JobDone::State::cancelled);
}

TEST_F(ExternalJudgesTest, AreForExternalTasksOnly) {
  const core::Task device_task;
  EXPECT_THROW(ExternalJudges(
                   device_task, "true", [](JobDone) {}, [] { return false; }),
               base::Error);
}

}  // namespace
}  // namespace hone::run
