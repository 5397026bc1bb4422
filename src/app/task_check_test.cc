#include "app/task_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "app/test_support.h"
#include "app/weak_problems.h"
#include "base/json_probe.h"
#include "tables/problems.h"

namespace hone::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct TaskCheckRequests : testing::Test {
  FakePlace place;
  RecordingSink sink;
  TaskCheckRequest request = place.request<TaskCheckRequest>();
  TaskCheckRequests() { request.task = place.task_name(); }
};

TEST_F(TaskCheckRequests, ExaminesEveryCaseAndSaysWhich) {
  const auto result = check_task(request, sink);
  ASSERT_TRUE(result.device);
  EXPECT_EQ(result.device->id, "fake:1");
  EXPECT_THAT(result.admission.cases, ElementsAre("odd", "timed"));
  ASSERT_FALSE(sink.steps.empty());
  EXPECT_THAT(sink.steps[0].text, HasSubstr("examining case"));
  const auto said = base::probe(result);
  EXPECT_EQ(said["admitted"], result.admitted());
  EXPECT_EQ(said["task"], "copy");
  EXPECT_EQ(said["device"]["id"], "fake:1");
  EXPECT_EQ(said["checks"].size(), result.admission.checks.size());
  for (const char* field : {"verdict", "name", "case", "output", "row", "forgiven", "text"})
    EXPECT_TRUE(said["checks"][0].contains(field)) << field;
}

TEST_F(TaskCheckRequests, ListEveryMistakeOfAMalformedTask) {
  base::write_file_atomically(place.task_folder() / "task.toml", "hone = 1\n");
  const auto result = check_task(request, sink);
  EXPECT_FALSE(result.admitted());
  ASSERT_FALSE(result.malformed.empty());
  const auto said = base::probe(result);
  EXPECT_EQ(said["admitted"], false);
  EXPECT_EQ(said["malformed"].size(), result.malformed.size());
  EXPECT_THAT(said["malformed"][0]["file"].text(), HasSubstr("task.toml"));
  EXPECT_EQ(said.size(), 2u) << "nothing else is known";
}

TEST_F(TaskCheckRequests, EndBeforeTheExaminationOnceTheyAreCancelled) {
  sink.cancel();
  EXPECT_EQ(code_of([&] { check_task(request, sink); }), base::ExitCode::interrupted);
}

// A checkout with two problems.
struct Problems : FakePlace {
  Problems() {
    base::make_folder(path() / "checkout/KernelBench/level1");
    write("checkout/KernelBench/level1/1_First.py", "");
    write("checkout/KernelBench/level1/2_Second.py", "");
    ::setenv("HONE_KERNELBENCH", (path() / "checkout").c_str(), 1);
  }
  ~Problems() { ::unsetenv("HONE_KERNELBENCH"); }
};

TEST(ProblemTexts, NameOneARangeOrALevel) {
  const Problems problems;
  EXPECT_FALSE(tables::names_several("kernelbench:level1/23"));
  EXPECT_FALSE(tables::names_several("a/task-of-mine"));
  EXPECT_TRUE(tables::names_several("kernelbench:level1"));
  EXPECT_TRUE(tables::names_several("kernelbench:level1/1-20"));
  EXPECT_THAT(tables::single_tasks({"a/task", "kernelbench:level1"}),
              ElementsAre("a/task", "kernelbench:level1/1", "kernelbench:level1/2"));
}

TEST(ProblemTexts, NeedACheckout) {
  ::unsetenv("HONE_KERNELBENCH");
  EXPECT_EQ(code_of([] { tables::kernelbench_checkout("kernelbench:level1"); }),
            base::ExitCode::usage);
}

TEST(WeakProblems, AreLookedForUntilThatIsCancelled) {
  const Problems problems;
  RecordingSink sink;
  sink.cancel();
  const auto result = weak_problems("kernelbench:level1", sink);
  EXPECT_TRUE(result.problems.empty());
  EXPECT_EQ(base::json_line(result), R"({"problems":[],"refused":0,"weak":0})");
}

TEST(WeakProblems, AsJsonHaveATaskOrAReason) {
  WeakProblemsResult result;
  result.problems = {{"kernelbench:level1/1", "/tasks/1", {"A constant passes."}, ""},
                     {"kernelbench:level1/2", "", {}, "no function forward"}};
  const auto said = base::probe(result)["problems"];
  EXPECT_EQ(
      said[0].dump(),
      R"({"problem":"kernelbench:level1/1","task":"/tasks/1","weak":["A constant passes."]})");
  EXPECT_EQ(said[1].dump(),
            R"({"problem":"kernelbench:level1/2","refused":"no function forward","weak":[]})");
}

}  // namespace
}  // namespace hone::app
