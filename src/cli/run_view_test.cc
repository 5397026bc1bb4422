// How a run ends and what it then says, with judges that answer from a list: no model, no device.
#include "cli/run_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>

#include "app/run.h"
#include "base/json_probe.h"
#include "store/test_support.h"

namespace hone::cli {
namespace {

using core::Outcome;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

core::Evaluation answer(const core::Candidate& candidate, core::Depth depth, Outcome outcome,
                        double seconds) {
  core::Evaluation e;
  e.key = {candidate.hash, {}, store::testing::a_task("copy").hash, "GPU-1234", "1", "1", 7,
           depth,          {}};
  e.outcome = outcome;
  core::CaseResult timed = store::testing::a_case("timed");
  timed.median = seconds;
  timed.interval = {seconds, seconds};
  timed.ceiling_fraction = 0.99;  // which ends the run after its first generation
  e.cases = {timed};
  if (outcome == Outcome::accepted)
    e.geomean = seconds;
  else
    e.evidence = {
        {"tolerance", 27, true, "timed", "Element 5 of " + candidate.name + " is far off."}};
  return e;
}

// What the judges of a run say, which is made by the run itself.
struct Listed {
  std::map<std::string, std::pair<Outcome, double>>
      finals;                       // by behaviour in the source; what is not told is away
  std::map<std::string, int> busy;  // answers that are undecided before others, likewise
  std::vector<std::string> jobs;    // as they were asked for

  bool is_busy_for(const std::string& source) {
    for (auto& [behaviour, times] : busy)
      if (source.find(behaviour) != std::string::npos && times > 0) return times-- > 0;
    return false;
  }
  std::optional<core::Evaluation> certificate(const core::Candidate& candidate) const {
    for (const auto& [behaviour, told] : finals)
      if (candidate.source.find(behaviour) != std::string::npos)
        return answer(candidate, core::Depth::certify, told.first, told.second);
    return std::nullopt;
  }
};

// Screens every candidate at the time that its source says, and certifies as it is told.
class ListedJudges : public run::Judges {
 public:
  ListedJudges(Listed& list, run::JobCallback done) : list_(list), done_(std::move(done)) {}

  void submit(run::Job job) override {
    list_.jobs.push_back(job.name);
    run::JobResult result;
    result.name = job.name;
    result.device.name = "H200";
    result.evaluation = job.fresh ? list_.certificate(*job.candidate) : screened(*job.candidate);
    if (!result.evaluation) return done_({job.name, run::JobDone::State::away, {}, ""});
    done_({job.name, run::JobDone::State::done, std::move(result), ""});
  }
  bool profiles() const override { return false; }
  bool away() const override { return true; }
  bool certifies() const override { return true; }
  std::string describe() const override { return "a list"; }

 private:
  core::Evaluation screened(const core::Candidate& candidate) {
    if (list_.is_busy_for(candidate.source))
      return answer(candidate, core::Depth::screen, Outcome::undecided, 0);
    const double seconds = candidate.source.find("quick") != std::string::npos    ? 5e-3
                           : candidate.source.find("middle") != std::string::npos ? 7e-3
                                                                                  : 9e-3;
    return answer(candidate, core::Depth::screen, Outcome::accepted, seconds);
  }

  Listed& list_;
  run::JobCallback done_;
};

struct EndOfARun : ::testing::Test {
  store::testing::Fixture f;
  Listed list;
  core::Task task;
  run::RunResult result;

  EndOfARun() {
    ::setenv("HONE_HOME", f.folder.path().c_str(), 1);
    task.name = "copy";
    task.hash = store::testing::a_task("copy").hash;
    task.folder = f.folder.path();
    base::write_file_atomically(task.folder / "task.toml", "hone = 1\nname = \"copy\"\n");
    for (const char* behaviour : {"slow", "quick", "middle"})
      base::write_file_atomically(f.folder.path() / (std::string(behaviour) + ".fake"),
                                  "/* hone 1\n[[launch]]\nkernel = \"run\"\ngrid = [1]\nblock = "
                                  "[1]\nargs = [\"x\", \"y\"]\n*/\nkernel run(buffer, buffer) " +
                                      std::string(behaviour) + "\n");
  }
  ~EndOfARun() override { ::unsetenv("HONE_HOME"); }

  // 00001 is slow, 00002 quick, 00003 in the middle.
  std::string report() {
    static const std::atomic<bool> never{false};
    core::DeviceInfo info;
    info.language = core::Language::fake;
    info.uuid = "GPU-1234";
    info.name = "H200";
    run::RunSettings settings;
    settings.task_path = task.folder;
    for (const char* name : {"slow.fake", "quick.fake", "middle.fake"})
      settings.seeds.push_back((f.folder.path() / name).string());
    const auto judges = [this](run::JobCallback done, const std::function<bool()>&) {
      return std::make_unique<ListedJudges>(list, std::move(done));
    };
    result = run::work_on({f.archive, {task, info, {}, settings, {}}, judges, {}, never, ""});
    return result_text(result, {});
  }
  base::JsonProbe report_json() const { return base::probe(app::RunDone{result, {}}); }
};

TEST_F(EndOfARun, TellsNothingOfACandidateThatIsAwayByTheOneBeforeIt) {
  list.finals["quick"] = {Outcome::wrong, 5e-3};
  const std::string text = report();
  EXPECT_EQ(result.state, store::RunState::away);
  EXPECT_EQ(result.best, 3) << "which is away to be certified";
  EXPECT_THAT(text, AllOf(Not(HasSubstr("in a fresh process")), Not(HasSubstr("wrong")),
                          Not(HasSubstr("5.00 ms"))));
  EXPECT_EQ(report_json()["evaluation"], nullptr);
}

TEST_F(EndOfARun, TellsTheVerdictOfTheOneItNamesAndNoTimeOfWhatWasRefused) {
  for (const char* behaviour : {"quick", "middle", "slow"})
    list.finals[behaviour] = {Outcome::wrong, 5e-3};
  const std::string text = report();
  EXPECT_THAT(text, AllOf(HasSubstr("none of the fastest candidates passed certification"),
                          HasSubstr("  00001 in a fresh process: wrong\n"),
                          HasSubstr("Element 5 of 00001.fake"), Not(HasSubstr("5.00 ms")),
                          Not(HasSubstr("hone best"))));
  EXPECT_FALSE(result.best) << "what was refused is not the best";
  EXPECT_EQ(report_json()["best"], nullptr);
  EXPECT_EQ(report_json()["certified"], false);
}

TEST_F(EndOfARun, TellsTheTimeOfTheOneThatPassed) {
  list.finals["quick"] = {Outcome::wrong, 5e-3};
  list.finals["middle"] = {Outcome::accepted, 7.5e-3};
  const std::string text = report();
  EXPECT_THAT(text, AllOf(HasSubstr("  00003 in a fresh process: accepted, 7.50 ms\n"),
                          Not(HasSubstr("5.00 ms")), HasSubstr("hone best")));
  EXPECT_EQ(result.best, 3);
  EXPECT_EQ(report_json()["certified"], true);
}

// The machine was busy: nothing is known of the candidate, so the job is done once more under
// another name.
TEST_F(EndOfARun, JudgesOnceMoreWhatIsUndecided) {
  list.busy["quick"] = 1;
  list.finals["quick"] = {Outcome::accepted, 5e-3};
  report();
  EXPECT_EQ(result.best, 2);
  EXPECT_EQ(
      std::count_if(list.jobs.begin(), list.jobs.end(),
                    [](const std::string& job) { return job.ends_with("00002-screen-again"); }),
      1);
}

TEST_F(EndOfARun, WhatStaysUndecidedIsNeverTheBest) {
  list.busy["quick"] = 2;
  list.finals["middle"] = {Outcome::accepted, 7e-3};
  report();
  EXPECT_EQ(result.best, 3) << "though 00002 would be quicker";
  EXPECT_TRUE(result.certified());
}

TEST_F(EndOfARun, ACertificationThatIsUndecidedIsTriedAgainAndIsNone) {
  for (const char* behaviour : {"quick", "middle", "slow"})
    list.finals[behaviour] = {Outcome::undecided, 5e-3};
  report();
  EXPECT_FALSE(result.best);
  EXPECT_EQ(result.certification->record.evaluation.outcome, Outcome::undecided);
  EXPECT_EQ(std::count_if(list.jobs.begin(), list.jobs.end(),
                          [](const std::string& job) { return job.ends_with("-final-again"); }),
            3);
}

}  // namespace
}  // namespace hone::cli
