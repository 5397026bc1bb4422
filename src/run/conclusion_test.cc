// What a run reports of its best: what the fresh process says, and nothing that the loop measured
// before.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run/job_test_task.h"
#include "run/run.h"

namespace hone::run {
namespace {

using testing::HasSubstr;

struct OneKernel : llm::LlmClient {
  base::Result<llm::Reply, llm::Fault> ask(const llm::Request&, const llm::Cancel&) override {
    return llm::Reply{.text = "```\n" + fake_candidate("copy quick").source +
                              "```\n## Report\nIt is another.\n"};
  }
  std::string name() const override { return "one kernel"; }
  std::string price_name() const override { return ""; }
};

// Accepts everything, and compares as it is told: in the loop, and in the fresh process at the end.
class TwoComparisons : public Judges {
 public:
  TwoComparisons(std::string task, JobCallback done, std::optional<double> loop,
                 std::optional<double> fresh)
      : task_(std::move(task)), done_(std::move(done)), loop_(loop), fresh_(fresh) {}
  void submit(Job job) override {
    JobResult result;
    result.name = job.name;
    result.evaluation.emplace();
    result.evaluation->key = {job.candidate->hash, {}, task_, "judges", "1", "1", 1, job.depth, {}};
    result.evaluation->outcome = core::Outcome::accepted;
    result.evaluation->geomean = job.candidate->source.find("quick") == std::string::npos ? 2 : 1;
    const auto ratio = job.fresh ? fresh_ : loop_;
    if (job.compare_with && ratio) {
      result.comparison.emplace();
      result.comparison->task = task_;
      result.comparison->device = "judges";
      result.comparison->a.candidate = job.compare_with->hash;
      result.comparison->b.candidate = job.candidate->hash;
      result.comparison->ratio = *ratio;
      result.comparison->interval = {*ratio, *ratio};
      result.comparison->word = core::Comparison::faster;
    }
    done_({job.name, JobDone::State::done, std::move(result), ""});
  }
  bool profiles() const override { return false; }
  bool away() const override { return false; }
  bool certifies() const override { return true; }
  std::string describe() const override { return "two comparisons"; }

 private:
  std::string task_;
  JobCallback done_;
  std::optional<double> loop_, fresh_;
};

// The seed is the incumbent that the only candidate beats: both comparisons are of the same two.
struct ConclusionOfARun : testing::Test {
  FakeTask place;
  store::Archive archive = store::Archive::open(place.path() / "archive.db");

  RunResult concluded(std::optional<double> loop, std::optional<double> fresh) {
    RunSettings settings;
    settings.task_path = place.task_folder();
    settings.strategy = "oneshot";
    settings.budget.candidates = 1;
    base::write_file_atomically(place.path() / "seed.fake", fake_candidate("copy slow").source);
    settings.seeds = {place.path() / "seed.fake"};
    core::DeviceInfo info;
    info.id = info.name = info.uuid = "judges";
    info.language = core::Language::fake;
    RoleModels models;
    for (const auto& role : role_names())
      models[role] = {std::make_shared<OneKernel>(), std::nullopt};
    const auto judges = [&](const std::string&, JobCallback done, const std::function<bool()>&) {
      return std::make_unique<TwoComparisons>(place.task().hash, std::move(done), loop, fresh);
    };
    const std::atomic<bool> never{false};
    return work_on({archive, {place.task(), info, {}, settings, models}, judges, {}, never, ""});
  }
};

TEST_F(ConclusionOfARun, TellsTheComparisonOfTheFreshProcess) {
  const RunResult result = concluded(0.5, 0.8);
  EXPECT_EQ(result.best, 2);
  ASSERT_TRUE(result.compared);
  EXPECT_DOUBLE_EQ(result.compared->ratio, 0.8);
  EXPECT_THAT(result.conclusion, HasSubstr("1.25 times as fast"));
}

TEST_F(ConclusionOfARun, TellsNoneWhereTheFreshProcessMadeNone) {
  const RunResult result = concluded(0.5, std::nullopt);
  EXPECT_EQ(result.best, 2);
  EXPECT_FALSE(result.compared);
  EXPECT_THAT(result.conclusion, HasSubstr("could not be compared with the seed"));
}

}  // namespace
}  // namespace hone::run
