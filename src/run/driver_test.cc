// The loop with models and judges that answer at once: what it asks, what it judges, and how it
// goes on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/json.h"
#include "run/job_test_task.h"
#include "run/journal.h"
#include "run/run.h"
#include "run/status.h"
#include "run/tune_job.h"
#include "store/candidates.h"
#include "store/findings.h"

namespace hone::run {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// Answers every role; the time of a candidate stands in its source.
class Model : public llm::LlmClient {
 public:
  base::Result<llm::Reply, llm::Fault> ask(const llm::Request& request,
                                           const llm::Cancel&) override {
    const std::lock_guard lock(mutex);
    asked.push_back(request.step);
    if (faults.contains(request.step))
      return base::Failure{llm::Fault{faults[request.step], "no", {}, {}}};
    llm::Reply reply;
    if (answers.contains(request.step)) {
      reply.text = answers[request.step];
    } else if (request.role == "selector") {
      reply.text = R"({"basis": 1, "reference": "none", "rationale": "why not"})";
    } else if (request.role == "designer") {
      core::Design design{std::vector<std::string>(10, "a"), {}, {}};
      for (int i = 0; i < 3; ++i)
        design.experiments.push_back({.description = "experiment " + std::to_string(i),
                                      .rubric = "r",
                                      .gain_low = 10,
                                      .gain_high = 20,
                                      .innovation = 50.0 - i});
      reply.text = base::json_line(design);
    } else if (request.role == "learner") {
      reply.text = R"({"findings": ["Shorter is faster."], "reports": []})";
    } else {
      reply.text = kernel("copy ns=" + std::to_string(2'000'000'000 + asked.size()));
    }
    return reply;
  }
  std::string name() const override { return "model"; }
  std::string price_name() const override { return ""; }

  static std::string kernel(const std::string& behaviour) {
    return "```\n" + fake_candidate(behaviour).source + "```\n## Report\nIt was written.\n";
  }
  int count(const std::string& step) const {
    return static_cast<int>(std::count(asked.begin(), asked.end(), step));
  }

  std::mutex mutex;
  std::map<std::string, std::string> answers;
  std::map<std::string, llm::FaultKind> faults;
  std::vector<std::string> asked;
};

// Accepts what copies, with the time that the source says; compares by these times. Or says that a
// job is away.
class FakeJudges : public Judges {
 public:
  FakeJudges(std::string task, JobCallback done, std::vector<std::string>& jobs,
             const std::map<std::string, JobDone::State>& states, bool away,
             std::vector<int>& tuned)
      : task_(std::move(task)),
        done_(std::move(done)),
        jobs_(jobs),
        states_(states),
        away_(away),
        tuned_(tuned) {}
  void submit(Job job) override {
    jobs_.push_back(job.name);
    const auto state = states_.find(job.name);
    if (state != states_.end() && state->second != JobDone::State::done)
      return done_({job.name, state->second, {}, "it is broken"});
    JobResult result;
    result.name = job.name;
    result.device.name = "judges";
    if (job.tune) tuned_.push_back(job.tune->most);
    if (job.candidate) result.evaluation = judge(*job.candidate, job.depth);
    if (job.tune && result.evaluation->geomean) tune(job, result);
    if (job.compare_with && result.evaluation->geomean)
      result.comparison = compare(*job.compare_with, *job.candidate);
    if (job.certify_if_faster && result.comparison &&
        result.comparison->word == core::Comparison::faster)
      result.certified = judge(*job.candidate, core::Depth::certify);
    done_({job.name, JobDone::State::done, std::move(result), ""});
  }
  bool profiles() const override { return false; }
  bool away() const override { return away_; }
  bool certifies() const override { return true; }
  std::string describe() const override { return "fake judges"; }

 private:
  // A is the factor of its time.
  static double seconds_of(const core::Candidate& candidate) {
    const auto at = candidate.source.rfind("ns=");
    const core::Point point = core::default_point(candidate.plan);
    return (point.contains("A") ? static_cast<double>(point.at("A")) : 1) *
           (at == std::string::npos ? 1 : std::stod(candidate.source.substr(at + 3)) * 1e-9);
  }
  // Tries five points and finds A = 1.
  void tune(Job& job, JobResult& result) const {
    result.tuning.emplace();
    result.tuning->points = 5;
    result.tuning->before = *result.evaluation->geomean;
    result.tuning->ended = "every point was tried";
    result.tuning->point = {{"A", 1}};
    result.tuning->ratio = 0.5;
    const core::Candidate written = *job.candidate;
    job.candidate = with_defaults(written, result.tuning->point);
    result.as_written = result.evaluation;
    result.evaluation = judge(*job.candidate, job.depth);
    result.tuning->after = *result.evaluation->geomean;
    result.beside_default = compare(written, written);
  }
  core::Evaluation judge(const core::Candidate& candidate, core::Depth depth) const {
    core::Evaluation evaluation;
    evaluation.key = {candidate.hash, {}, task_, "judges", "1", "1", 1, depth, {}};
    evaluation.outcome = candidate.source.find("zeros") == std::string::npos
                             ? core::Outcome::accepted
                             : core::Outcome::wrong;
    if (evaluation.outcome == core::Outcome::accepted)
      evaluation.geomean = seconds_of(candidate);
    else
      evaluation.evidence.push_back({"tolerance", 0, true, "odd", "all of it is wrong"});
    return evaluation;
  }
  store::ComparisonRecord compare(const core::Candidate& a, const core::Candidate& b) const {
    store::ComparisonRecord record;
    record.task = task_;
    record.device = "judges";
    record.a.candidate = a.hash;
    record.b.candidate = b.hash;
    record.ratio = seconds_of(b) / seconds_of(a);
    record.interval = {record.ratio * 0.99, record.ratio * 1.01};
    record.word = record.ratio < 1 ? core::Comparison::faster : core::Comparison::slower;
    return record;
  }

  std::string task_;
  JobCallback done_;
  std::vector<std::string>& jobs_;
  const std::map<std::string, JobDone::State>& states_;
  bool away_;
  std::vector<int>& tuned_;
};

struct DriverTest : testing::Test {
  FakeTask place;
  store::Archive archive = store::Archive::open(place.path() / "archive.db");
  std::shared_ptr<Model> model = std::make_shared<Model>();
  std::atomic<bool> cancelled{false};
  RunSettings settings;
  std::vector<std::string> jobs, said;
  std::vector<int> tuned;  // of each job with tuning: how many points it may measure
  std::map<std::string, JobDone::State> states;  // by the job's name without its run
  std::map<std::string, JobDone::State> named;
  bool away = false;
  std::string run_id;
  std::vector<RunStatus> statuses;

  DriverTest() {
    settings.task_path = place.task_folder();
    settings.device = "fake:1";
    settings.budget.candidates = 4;
    settings.stop_at_ceiling = 0;
    settings.feedback = "none";
    base::write_file_atomically(place.path() / "seed.fake",
                                fake_candidate("copy ns=1000000000").source);
    settings.seeds = {place.path() / "seed.fake"};
  }
  RunResult work() {
    RunWatcher watcher;
    watcher.say = [this](const std::string& text) { said.push_back(text); };
    watcher.update = [this](const RunStatus& status) { statuses.push_back(status); };
    core::DeviceInfo info;
    info.id = info.name = info.uuid = "judges";
    info.language = core::Language::fake;
    RoleModels models;
    for (const auto& role : role_names()) models[role] = {model, std::nullopt};
    const auto result =
        work_on({archive,
                 {place.task(), info, {}, settings, models},
                 [this](const std::string&, JobCallback done, const std::function<bool()>&) {
                   for (const auto& [job, state] : states) named[run_id + job] = state;
                   return std::make_unique<FakeJudges>(place.task().hash, std::move(done), jobs,
                                                       named, away, tuned);
                 },
                 watcher,
                 cancelled,
                 run_id});
    run_id = result.run;
    return result;
  }
  core::Tree tree() { return tree_of(archive, run_id); }
};

TEST_F(DriverTest, GoesFromASeedToACertifiedCandidate) {
  model->answers["g001/writer-2/try-1"] = Model::kernel("copy ns=500000000");
  const auto result = work();
  EXPECT_EQ(result.state, store::RunState::finished);
  EXPECT_EQ(result.stopped, "4 candidates were allowed");
  EXPECT_TRUE(result.certified());
  EXPECT_EQ(*result.best, 4)
      << "the second writer of the first generation, after the seed and the translation";
  EXPECT_DOUBLE_EQ(result.compared->ratio, 0.5);
  EXPECT_THAT(result.conclusion, HasSubstr("2.00 times as fast"));
  EXPECT_EQ(tree().conclusion->best, 4);
  EXPECT_EQ(result.status.candidates, 5);
  EXPECT_THAT(said, Contains(HasSubstr("00004 is the incumbent")));
  EXPECT_THAT(store::findings(archive, {.everything = true}), testing::SizeIs(1));
}

TEST_F(DriverTest, AsksAndJudgesNothingTwiceWhenItIsResumed) {
  work();
  const auto asked = model->asked;
  const auto judged = jobs;
  const auto again = work();
  EXPECT_EQ(model->asked, asked);
  EXPECT_EQ(jobs, judged);
  EXPECT_TRUE(again.certified());
  settings.budget.candidates = 5;
  work();
  EXPECT_EQ(model->asked.size(), asked.size() + 4) << "selector, designer, one writer, learner";
}

TEST_F(DriverTest, TakesAnAnswerThatWasReceivedBeforeItWasKilled) {
  model->faults["g001/writer-1/try-1"] =
      llm::FaultKind::rejected;  // ends the run in the middle of a generation
  EXPECT_EQ(work().state, store::RunState::stopped);
  const auto before = tree();
  EXPECT_EQ(before.nodes[2].state, core::Node::State::asked) << "the question stays open";
  model->faults.clear();
  EXPECT_EQ(work().state, store::RunState::finished);
  EXPECT_EQ(model->count("g001/writer-2/try-1"), 1);
  EXPECT_EQ(model->count("g001/writer-1/try-1"), 2);
  for (const auto& node : tree().nodes)
    EXPECT_EQ(node.state, core::Node::State::judged) << node.number;
}

TEST_F(DriverTest, GoesOnWithoutAWriterThatDeclines) {
  model->faults["g001/writer-1/try-1"] = llm::FaultKind::refused;
  EXPECT_EQ(work().state, store::RunState::finished);
  const core::Tree run = tree();
  EXPECT_EQ(run.nodes[2].state, core::Node::State::unanswered);
  EXPECT_EQ(core::places_taken(run), 4) << "its place went to another";
}

TEST_F(DriverTest, SendsAFailureBackToItsWriter) {
  model->answers["g001/writer-3/try-1"] = Model::kernel("zeros");
  settings.budget.candidates = 5;
  work();
  EXPECT_EQ(model->count("g001/writer-3/try-2"), 1);
  const core::Tree run = tree();
  const auto repair = std::find_if(run.nodes.begin(), run.nodes.end(),
                                   [](const auto& node) { return node.repairs != 0; });
  ASSERT_NE(repair, run.nodes.end());
  EXPECT_EQ(run.node(repair->repairs)->verdict->reason, "all of it is wrong");
  for (const auto& call : store::calls_of(archive, run_id, true))
    if (call.start.step == "g001/writer-3/try-2") {
      EXPECT_THAT(call.start.prompt, HasSubstr("all of it is wrong"));
    }
}

// Its answer has a table whose default doubles the time.
std::string tunable_kernel(const std::string& behaviour) {
  std::string text = Model::kernel(behaviour);
  const std::string launch = "[[launch]]";
  return text.insert(text.find(launch), "[tune]\nA = { values = [1, 2], default = 2 }\n");
}

TEST_F(DriverTest, HasTheTunedSourceInTheNodeAndShowsItToTheWriterOfItsChild) {
  model->answers["g001/writer-2/try-1"] = tunable_kernel("copy ns=300000000");
  model->answers["g002/selector/try-1"] = R"({"basis": 4, "reference": "none", "rationale": "y"})";
  settings.budget.candidates = 5;
  const auto result = work();
  const core::Tree run = tree();
  const core::Node& node = run.nodes[3];
  ASSERT_TRUE(node.tuning);
  EXPECT_NE(node.candidate, node.as_written);
  EXPECT_EQ(node.tuning->points, 5);
  EXPECT_EQ(node.tune_points, more_points);
  EXPECT_DOUBLE_EQ(node.seconds(), 0.3);
  EXPECT_THAT(store::get_candidate(archive, node.candidate).source, HasSubstr("default = 1 "));
  EXPECT_THAT(store::get_candidate(archive, node.as_written).source, HasSubstr("default = 2 "));
  EXPECT_EQ(*result.best, 4);
  EXPECT_THAT(said, Contains(HasSubstr("its defaults are A = 1 now, 2.00 times as fast")));
  int shown = 0;
  for (const auto& call : store::calls_of(archive, run_id, true))
    if (call.start.step == "g002/writer-1/try-1") {
      ++shown;
      EXPECT_THAT(call.start.prompt, HasSubstr("default = 1 "));
      EXPECT_THAT(call.start.prompt, Not(HasSubstr("default = 2 ")));
      EXPECT_THAT(call.start.prompt, HasSubstr("Hone tuned it: 5 points of its [tune] table"));
    }
  EXPECT_EQ(shown, 1);
}

TEST_F(DriverTest, TunesTheSameSourceOnceAndWithinItsBudget) {
  for (const char* step : {"g001/writer-1/try-1", "g001/writer-2/try-1"})
    model->answers[step] = tunable_kernel("copy ns=300000000");
  model->answers["g001/writer-3/try-1"] = tunable_kernel("copy ns=310000000");
  settings.tune_evals = 7;
  work();
  const core::Tree run = tree();
  EXPECT_EQ(run.nodes[2].candidate, run.nodes[3].candidate);
  EXPECT_EQ(run.nodes[3].as_written, run.nodes[2].as_written);
  EXPECT_EQ(run.nodes[2].tuning->points + run.nodes[3].tuning->points, 5);
  ASSERT_FALSE(tuned.empty());
  int reserved = 0;
  for (const int most : tuned) reserved += most;
  EXPECT_LE(reserved, 7 + 5) << "what one did not need is the next one's";
  const auto before = tuned;
  work();
  EXPECT_EQ(tuned, before) << "nothing is tuned again when it is resumed";
}

TEST_F(DriverTest, TunesNothingWhereItMayNot) {
  model->answers["g001/writer-2/try-1"] = tunable_kernel("copy ns=300000000");
  settings.tune_evals = 0;
  work();
  EXPECT_THAT(tuned, IsEmpty());
  const core::Tree run = tree();
  EXPECT_EQ(run.nodes[3].as_written, "");
  EXPECT_DOUBLE_EQ(run.nodes[3].seconds(), 0.6);
}

TEST_F(DriverTest, AsksForTheSameTuningWhenItIsKilledBeforeTheVerdict) {
  settings.budget.candidates = 1;
  work();
  model->answers["g001/writer-1/try-1"] = tunable_kernel("copy ns=300000000");
  states["-00003-screen"] = JobDone::State::broken;
  settings.budget.candidates = 2;
  EXPECT_THROW(work(), base::Error);
  states.clear();
  named.clear();
  settings.tune_evals = 9;  // what was promised stays promised
  EXPECT_EQ(work().state, store::RunState::finished);
  EXPECT_THAT(tuned, ElementsAre(more_points));
  EXPECT_EQ(tree().nodes[2].tuning->points, 5);
}

TEST_F(DriverTest, JudgesTheSameSourceOnce) {
  for (const char* step : {"g001/writer-1/try-1", "g001/writer-2/try-1"})
    model->answers[step] = Model::kernel("copy ns=1500000000");
  work();
  const core::Tree run = tree();
  EXPECT_EQ(run.nodes[2].candidate, run.nodes[3].candidate);
  EXPECT_EQ(run.nodes[2].verdict->evaluation, run.nodes[3].verdict->evaluation);
  EXPECT_EQ(std::count_if(jobs.begin(), jobs.end(),
                          [](const auto& job) { return job.ends_with("-screen"); }),
            4);
}

TEST_F(DriverTest, StopsWithItsWorkAwayAndGoesOnWhenItIsBack) {
  away = true;
  settings.budget.candidates = 1;
  ASSERT_EQ(work().state, store::RunState::finished)
      << "jobs have the run's id in their names: it has begun now";
  states["-00003-screen"] = states["-00004-screen"] = JobDone::State::away;
  settings.budget.candidates = 4;
  const auto waiting = work();
  EXPECT_EQ(waiting.state, store::RunState::away);
  EXPECT_THAT(waiting.away, ElementsAre(run_id + "-00003-screen", run_id + "-00004-screen"));
  states.clear();
  named.clear();
  EXPECT_EQ(work().state, store::RunState::finished);
  for (const auto& node : tree().nodes) EXPECT_TRUE(node.verdict) << node.number;
}

TEST_F(DriverTest, EndsAsFailedWhereTheEnvironmentIsBroken) {
  settings.budget.candidates = 1;
  work();
  states["-00003-screen"] = JobDone::State::broken;
  settings.budget.candidates = 2;
  EXPECT_THROW(work(), base::Error);
  EXPECT_EQ(store::get_run(archive, run_id).state, store::RunState::failed);
  states.clear();
  named.clear();
  EXPECT_EQ(work().state, store::RunState::finished) << "it goes on once that is fixed";
}

TEST_F(DriverTest, DecidesNothingOnceItIsCancelled) {
  cancelled = true;
  const auto result = work();
  EXPECT_EQ(result.state, store::RunState::stopped);
  EXPECT_THAT(model->asked, IsEmpty());
  cancelled = false;
  EXPECT_EQ(work().state, store::RunState::finished);
}

TEST_F(DriverTest, KeepsAsManyInFlightAsItMay) {
  settings.strategy = "oneshot";
  settings.slots = 2;
  work();
  const core::Tree run = tree();
  for (const auto& act : run.actions)
    if (act.node != 0) {
      EXPECT_EQ(act.action.place.origin, core::Origin::one_shot);
    }
  EXPECT_EQ(core::places_taken(run), 4);
}

TEST_F(DriverTest, PublishesItsStatusForOtherProcesses) {
  model->answers["g001/writer-2/try-1"] = Model::kernel("copy ns=500000000");
  const auto result = work();
  auto other = store::Archive::open(place.path() / "archive.db");
  const RunStatus status = read_status(other, run_id);
  EXPECT_EQ(status.candidates, result.status.candidates);
  EXPECT_EQ(status.best, result.status.best);
  EXPECT_DOUBLE_EQ(*status.best_seconds, 0.5);
  EXPECT_EQ(status.spending.calls, result.status.spending.calls);
  EXPECT_FALSE(statuses.empty());
}

}  // namespace
}  // namespace hone::run
