// Which problems of a list are measured: without Python and without a device, because all of them
// are recorded.
#include "tables/measure_baselines.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "judge/torch/baseline.h"

namespace hone::tables {
namespace {

struct RecordedList : ::testing::Test {
  base::TemporaryFolder folder{"measure-baselines-test"};
  core::DeviceInfo info;
  MeasureOptions options;
  std::vector<std::string> told;
  bool cancelled = false;

  void SetUp() override {
    info.uuid = "GPU-1";
    info.name = "a device";
    options.problems = {"first", "second"};
    options.home = folder.path() / "home.jsonl";
    for (const auto& problem : options.problems) record(problem);
  }

  // The reference of the task that a text names here is the text itself.
  static core::Task task_of(const std::string& text) {
    core::Task task;
    task.reference_py = text;
    return task;
  }
  void record(const std::string& problem, const std::string& device = "GPU-1",
              const std::string& failed = "", bool transient = false) {
    for (const auto& class_name : judge::class_names) {
      BaselineLine line;
      line.problem = problem;
      line.reference = source_hash(problem);
      line.class_name = class_name;
      line.device = device;
      line.device_name = "a device";
      line.eager.median = failed.empty() ? 1e-3 : 0;
      line.failed = failed;
      line.transient = transient;
      append_baseline(options.home, line);
    }
  }
  MeasuredBaselines measured() {
    return measure_baselines(
        options, info,
        {task_of, [&](const auto& lines) { told.push_back(lines.front().problem); },
         [](const std::string&) {}, [](const std::string&, double) {}, [&] { return cancelled; }});
  }
  // Whether anything of the list is left to do. The time that is given is over before it could be
  // begun.
  bool is_done() {
    options.budget_s = 1e-9;
    return measured().complete;
  }
};

TEST_F(RecordedList, IsNotMeasuredAgain) {
  const auto result = measured();
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.problems, 2u);
  EXPECT_EQ(result.lines.size(), 2 * judge::class_names.size());
  EXPECT_EQ(told, options.problems);
}

TEST_F(RecordedList, IsMeasuredAgainWhereThatIsAsked) {
  EXPECT_TRUE(is_done());
  options.reuse.again = true;
  EXPECT_FALSE(is_done());
}

TEST_F(RecordedList, HasFailuresThatAreTriedAgainOnlyIfAskedOrIfTheyWereTheMachines) {
  options.problems.push_back("third");
  record("third", "GPU-1", "it has no Model");
  EXPECT_TRUE(is_done());
  options.reuse.retry = true;
  EXPECT_FALSE(is_done());
  options.reuse.retry = false;
  options.problems.push_back("fourth");
  record("fourth", "GPU-1", "the device is gone", true);
  EXPECT_FALSE(is_done());
}

TEST_F(RecordedList, TakesAnotherDeviceOfTheSameNameOnlyIfAsked) {
  options.problems = {"elsewhere"};
  record("elsewhere", "GPU-2");
  EXPECT_FALSE(is_done());
  options.reuse.by_model = true;
  EXPECT_TRUE(is_done());
}

TEST_F(RecordedList, IsCopiedToTheFileThatWasNamedOnce) {
  options.out = folder.path() / "out.jsonl";
  measured();
  EXPECT_EQ(read_baselines(options.out).size(), 2 * judge::class_names.size());
  measured();
  EXPECT_EQ(read_baselines(options.out).size(), 2 * judge::class_names.size());
}

TEST_F(RecordedList, StopsBeforeTheNextProblemOnceItIsCancelled) {
  options.problems.push_back("third");
  cancelled = true;
  const auto result = measured();
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(result.problems, 2u);
}

}  // namespace
}  // namespace hone::tables
